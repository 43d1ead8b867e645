/** What a credential looks like, of which nothing may be shown: its prefix says what it is. */
export type CredentialForm =
  | 'access token'
  | 'refresh token'
  | 'authorization code'
  | 'client secret'
  | 'JWT'
  /** One of those, cut short or mistyped. */
  | 'incomplete'
  | 'client id'
  | 'other';

const FORMS: readonly (readonly [CredentialForm, prefix: string, lengths: readonly number[]])[] = [
  ['access token', 'gla_', [53]],
  ['refresh token', 'glr_', [97, 75]], // the shorter one is from earlier releases
  ['authorization code', 'glc_', [75]],
  ['client secret', 'gls', [52]],
];

/** By its looks alone: nobody is asked whether there is such a one. */
export function credentialForm(value: string): CredentialForm {
  if (/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(value)) return 'JWT';
  const found = FORMS.find(([, prefix]) => value.startsWith(prefix));
  if (found !== undefined) return found[2].includes(value.length) && /^[\w-]+$/.test(value) ? found[0] : 'incomplete';
  return /^[0-9A-Za-z]{22}$/.test(value) ? 'client id' : 'other';
}
