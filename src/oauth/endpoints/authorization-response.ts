import { withParameters } from '../clients/redirect-uris.ts';
import type { ReturnAddress } from './authorization-request.ts';

/** What the browser brings to the client: a code or an error (RFC 6749 §4.1.2), with `iss` (RFC 9207). */
export interface AuthorizationResponse {
  readonly mode: ReturnAddress['responseMode'];
  readonly redirectUri: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export function authorizationResponse(
  { redirectUri, state, responseMode: mode }: ReturnAddress,
  parameters: Readonly<Record<string, string>>,
  iss: string,
): AuthorizationResponse {
  return { mode, redirectUri, parameters: { ...parameters, ...(state === undefined ? {} : { state }), iss } };
}

/** The address of a response in the query of a redirect. */
export function redirectAddress({ redirectUri, parameters }: AuthorizationResponse): string {
  return withParameters(redirectUri, parameters);
}
