import type { EpochSeconds } from '../../domain/values.ts';
import { withParameters } from '../clients/redirect-uris.ts';
import { unverifiedClaims } from '../signing/jws.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import type { ReturnAddress } from './authorization-request.ts';

type ResponseParameters = Readonly<Record<string, string>>;

/** The parameters in the redirect to the client: a code or an error (RFC 6749 §4.1.2), with `iss` (RFC 9207). */
export interface AuthorizationResponse {
  readonly mode: 'query' | 'form_post';
  readonly redirectUri: string;
  /** A signed response contains only the JWT (JARM §2.3). */
  readonly parameters: ResponseParameters;
}

/** Not `JWT`, so that nobody can use a response as an ID token. */
const TYPE = 'authorization-response+jwt';

/** A response is for one redirect. JARM §2.1 recommends ten minutes at most. */
const LIFETIME_SECONDS = 600;

/** Builds the responses of the authorization endpoint. */
export type CreateAuthorizationResponse = (
  returnTo: ReturnAddress,
  parameters: ResponseParameters,
) => Promise<AuthorizationResponse>;

/**
 * Responses are signed even before a user has logged in, because errors are signed, too. This cannot grow the log: only
 * the first response with an algorithm introduces a key.
 */
export function createAuthorizationResponses(parts: {
  readonly keys: Pick<SigningKeys, 'sign'>;
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
}): CreateAuthorizationResponse {
  const { keys, issuer, now } = parts;

  /** JARM §2.1. */
  async function signResponse({ client, state }: ReturnAddress, parameters: ResponseParameters): Promise<string> {
    const times = { exp: now() + LIFETIME_SECONDS };
    const payload = { iss: issuer(), aud: client.clientId, ...times, ...withState(parameters, state) };
    return (await keys.sign(client.security.authorizationResponseAlgorithm, TYPE, payload, now())).jws;
  }

  return async (returnTo, parameters) => {
    const { redirectUri, state, responseMode } = returnTo;
    switch (responseMode) {
      case 'query':
      case 'form_post':
        return { mode: responseMode, redirectUri, parameters: { ...withState(parameters, state), iss: issuer() } };
      case 'query.jwt':
        return { mode: 'query', redirectUri, parameters: { response: await signResponse(returnTo, parameters) } };
      case 'form_post.jwt':
        return { mode: 'form_post', redirectUri, parameters: { response: await signResponse(returnTo, parameters) } };
    }
  };
}

/** Returns the parameters in a signed response, or undefined for any other string. Nothing is verified. */
export function unverifiedParameters(response: string): ResponseParameters | undefined {
  const claims = unverifiedClaims(response);
  if (claims === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(claims).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function withState(parameters: ResponseParameters, state: string | undefined): ResponseParameters {
  return state === undefined ? parameters : { ...parameters, state };
}

/** Returns the redirect URI with the response in its query. */
export function redirectUrl({ redirectUri, parameters }: AuthorizationResponse): string {
  return withParameters(redirectUri, parameters);
}
