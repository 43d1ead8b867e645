import type { ClientId, EpochSeconds } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import type { IntrospectionResponse } from './introspection.ts';

/** The media type that a caller specifies in `Accept` to get a signed response (RFC 9701 §4). */
export const SIGNED_INTROSPECTION_TYPE = 'application/token-introspection+jwt';

/** The `typ` header parameter (RFC 9701 §5), which prevents a response from being passed off as an access token. */
const RESPONSE_TYPE = 'token-introspection+jwt';

/**
 * Signs an introspection response (RFC 9701 §5) for an authenticated caller.
 * @param callerId the client that authenticated or to which the bearer token was issued
 */
export type SignIntrospection = (
  response: IntrospectionResponse,
  callerId: string,
  now: EpochSeconds,
) => Promise<string>;

/**
 * Creates a function that signs responses. The `log_head` claim contains the size and the root of the log that the
 * response is based on. Two signed responses with the same size and different roots prove that the server has shown
 * different histories.
 */
export function createIntrospectionSigner(deps: {
  readonly keys: Pick<SigningKeys, 'sign'>;
  readonly clients: { find(clientId: ClientId): Pick<Client, 'security'> | undefined };
  readonly issuer: () => string;
  readonly logHead: () => object;
}): SignIntrospection {
  const { keys, clients, issuer, logHead } = deps;
  return async (response, callerId, now) => {
    const algorithm = clients.find(callerId as ClientId)?.security.introspectionAlgorithm ?? 'RS256';
    const claims = { iss: issuer(), aud: callerId, iat: now, token_introspection: response, log_head: logHead() };
    return (await keys.sign(algorithm, RESPONSE_TYPE, claims, now)).jws;
  };
}
