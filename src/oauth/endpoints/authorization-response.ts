import type { EpochSeconds } from '../../domain/values.ts';
import { withParameters } from '../clients/redirect-uris.ts';
import { unverifiedClaims } from '../signing/jws.ts';
import type { SigningKeys } from '../signing/signing-keys.ts';
import type { ReturnAddress } from './authorization-request.ts';

type ResponseParameters = Readonly<Record<string, string>>;

/** A code (RFC 6749 §4.1.2) or an error (§4.1.2.1), sent to the redirect URI in its query or as a posted form. */
export interface AuthorizationResponse {
  readonly mode: 'query' | 'form_post';
  readonly redirectUri: string;
  /** Includes `iss` (RFC 9207). A signed response has only the parameter `response`, which is a JWT (JARM §2.3). */
  readonly parameters: ResponseParameters;
}

/** Not `JWT`, so that a response cannot be passed off as an ID token. */
const RESPONSE_TYPE = 'authorization-response+jwt';

/** The longest lifetime that JARM §2.1 recommends. Clients use a response immediately. */
const LIFETIME_SECONDS = 600;

/** Builds an authorization response, and signs it if the response mode requires it. */
export type BuildAuthorizationResponse = (
  returnTo: ReturnAddress,
  parameters: ResponseParameters,
) => Promise<AuthorizationResponse>;

/**
 * Creates a function that builds responses. A response may be signed before a user has logged in, because errors are
 * signed as well. Unauthenticated callers cannot make the log grow in this way, because a signing key is introduced
 * only if there is no usable key for the algorithm.
 */
export function createAuthorizationResponseBuilder(deps: {
  readonly keys: Pick<SigningKeys, 'sign'>;
  readonly issuer: () => string;
  readonly now: () => EpochSeconds;
}): BuildAuthorizationResponse {
  const { keys, issuer, now } = deps;

  /** Returns the response as a signed JWT (JARM §2.1). */
  async function signResponse({ client, state }: ReturnAddress, parameters: ResponseParameters): Promise<string> {
    const exp = now() + LIFETIME_SECONDS;
    const payload = { iss: issuer(), aud: client.clientId, exp, ...withState(parameters, state) };
    return (await keys.sign(client.security.authorizationResponseAlgorithm, RESPONSE_TYPE, payload, now())).jws;
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

/**
 * Returns the string claims of a JWT, which include the parameters of a signed response, or undefined if `response` is
 * not a JWT. Nothing is verified.
 */
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
