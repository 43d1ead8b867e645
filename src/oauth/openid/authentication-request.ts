import { oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import { NO_REQUESTED_CLAIMS, parseClaimsParameter, type RequestedClaims } from './claims-parameter.ts';
import { isRequestableClaim } from './claims.ts';

/** The parameters that OpenID Connect adds to a request with the `openid` scope (OpenID Connect Core §3.1.2.1). */
export interface AuthenticationRequest {
  /** Returned in the ID token; undefined if the request has none. */
  readonly nonce: string | undefined;
  readonly claims: RequestedClaims;
  /** An ID token that has not been verified yet; undefined if the request has none. */
  readonly idTokenHint: string | undefined;
}

/**
 * Reads the OpenID Connect parameters.
 * @throws OAuthError `invalid_request` if the claims are malformed
 */
export function readAuthenticationRequest(parameters: Parameters): AuthenticationRequest {
  return {
    nonce: parameters.get('nonce'),
    claims: readClaims(parameters.get('claims')),
    idTokenHint: parameters.get('id_token_hint'),
  };
}

/**
 * Refuses the `registration` parameter, in which a client sends its metadata (OpenID Connect Core §3.1.2.6).
 * @throws OAuthError if the request contains the parameter
 */
export function refuseUnsupportedParameters(parameters: Parameters): void {
  if (parameters.has('registration')) throw oauthError({ rule: 'parameter-not-supported', parameter: 'registration' });
}

/** Returns the values of an essential `acr` claim. The login must meet one of them, unless the list is empty. */
export function essentialAcrValues({ claims }: AuthenticationRequest): readonly string[] {
  const acr = claims.idToken.find(({ name, isEssential }) => name === 'acr' && isEssential);
  const values = (acr?.values ?? []).filter((value) => value !== null);
  // The JSON form of a value that is not a string matches no class.
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}

/**
 * Returns the subjects that a request accepts as values of the `sub` claim (OpenID Connect Core §5.5.1): at most one
 * list each for the ID token and for userinfo. The user must be in each list.
 */
export function requestedSubjects({ claims }: AuthenticationRequest): readonly (readonly unknown[])[] {
  return [...claims.idToken, ...claims.userinfo].flatMap(({ name, values }) =>
    name === 'sub' && values !== null && values.length > 0 ? [values] : [],
  );
}

/** Returns the words of a space-separated list, without duplicates. */
export function splitWords(text = ''): readonly string[] {
  return [...new Set(text.split(' ').filter((word) => word !== ''))];
}

function readClaims(text: string | undefined): RequestedClaims {
  if (text === undefined) return NO_REQUESTED_CLAIMS;
  const claims = parseClaimsParameter(text, isRequestableClaim);
  if (!('expected' in claims)) return claims;
  const { length } = text;
  throw oauthError({ rule: 'parameter-malformed', parameter: 'claims', form: claims.expected, length });
}
