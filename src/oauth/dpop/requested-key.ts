import type { Confirmation } from '../../domain/confirmation.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import { message } from '../../language/message.ts';
import { oauthError } from '../endpoints/errors.ts';

const THUMBPRINT = /^[\w-]{43}$/;

/**
 * Returns the thumbprint of the only key that can redeem the code of an authorization request (RFC 9449 §10), or
 * undefined for any key. A pushed request can name it with a proof instead (§10.1).
 * @param confirmation the key of the proof in the same request; undefined if there is none
 * @throws OAuthError `invalid_request` if `dpop_jkt` is malformed, or is not the key of the proof
 */
export function requestedKey(parameters: Parameters, confirmation?: Confirmation): string | undefined {
  const named = parameters.get('dpop_jkt');
  const proven = confirmation?.method === 'jkt' ? confirmation.thumbprint : undefined;
  if (named === undefined) return proven;
  if (!THUMBPRINT.test(named)) {
    const form = message('refusal-form.thumbprint');
    throw oauthError({ rule: 'parameter-malformed', parameter: 'dpop_jkt', form, length: named.length });
  }
  if (proven !== undefined && proven !== named) throw oauthError({ rule: 'dpop-keys-disagree' });
  return named;
}
