/**
 * The kind of a credential, judging by its format. Refusals contain the kind in place of the credential, which must not
 * be shown.
 */
export type CredentialForm =
  | 'access token'
  | 'refresh token'
  | 'authorization code'
  | 'device code'
  | 'client secret'
  | 'JWT'
  /** Starts like one of this server's credentials, but is truncated or mistyped. */
  | 'incomplete'
  | 'client id'
  | 'other';

const FORMS: readonly (readonly [CredentialForm, prefix: string, lengths: readonly number[]])[] = [
  ['access token', 'gla_', [53]],
  ['refresh token', 'glr_', [97, 75]], // tokens from earlier releases are shorter
  ['authorization code', 'glc_', [75]],
  ['client secret', 'gls', [52]],
];

/** Returns the kind of a credential, judging only by its format, without looking it up. */
export function credentialForm(value: string): CredentialForm {
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)) return 'JWT';
  // The length of a device code depends on the request that it contains.
  if (value.startsWith('gld_')) return /^gld_[\w-]{100,}$/.test(value) ? 'device code' : 'incomplete';
  const match = FORMS.find(([, prefix]) => value.startsWith(prefix));
  if (match === undefined) return /^[0-9A-Za-z]{22}$/.test(value) ? 'client id' : 'other';
  const [form, , lengths] = match;
  return lengths.includes(value.length) && /^[\w-]+$/.test(value) ? form : 'incomplete';
}
