import type { Confirmation } from '../../domain/confirmation.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import { message } from '../../language/message.ts';
import { oauthError } from '../endpoints/errors.ts';

const THUMBPRINT = /^[\w-]{43}$/;

/**
 * Returns the thumbprint of the key that the code of an authorization request is bound to (RFC 9449 §10), or undefined
 * if the code is not bound. A pushed request can bind the code with a proof instead of `dpop_jkt` (§10.1).
 * @param confirmation the key or certificate whose possession the same request proved, if any
 * @throws OAuthError `invalid_request` if `dpop_jkt` is malformed or does not match the key of the proof
 */
export function requestedKey(parameters: Parameters, confirmation?: Confirmation): string | undefined {
  const requestedThumbprint = parameters.get('dpop_jkt');
  const provenThumbprint = confirmation?.method === 'jkt' ? confirmation.thumbprint : undefined;
  if (requestedThumbprint === undefined) return provenThumbprint;
  if (!THUMBPRINT.test(requestedThumbprint)) {
    const form = message('refusal-form.thumbprint');
    throw oauthError({ rule: 'parameter-malformed', parameter: 'dpop_jkt', form, length: requestedThumbprint.length });
  }
  if (provenThumbprint !== undefined && provenThumbprint !== requestedThumbprint)
    throw oauthError({ rule: 'dpop-keys-disagree' });
  return requestedThumbprint;
}
