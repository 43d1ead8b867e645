import type { PasswordsOff, UpstreamRefusal } from './upstream-refusal.ts';

type Refused = PasswordsOff | UpstreamRefusal;

type HeadlineOf<Rule extends Refused['rule']> =
  | string
  | ((refusal: Extract<Refused, { readonly rule: Rule }>) => string);

/** Logins through other providers that failed. */
export const UPSTREAM_HEADLINES: { readonly [Rule in Refused['rule']]: HeadlineOf<Rule> } = {
  'passwords-off': 'Passwords are off, because a provider is required',
  'upstream-unavailable': ({ provider }) => `The provider ${provider} did not answer as it should`,
  'upstream-login-unknown': 'A response of a provider belonged to no login of the browser',
  'upstream-provider-changed': ({ provider }) => `The provider ${provider} was changed during a login`,
  'upstream-issuer-differs': ({ provider }) => `A response for ${provider} came from another issuer`,
  'upstream-denied': ({ provider }) => `The provider ${provider} did not log the user in`,
  'upstream-code-refused': ({ provider }) => `The provider ${provider} issued no ID token`,
  'upstream-token-invalid': ({ provider, check }) => `An ID token of ${provider} failed a check: ${check}`,
  'upstream-login-too-old': ({ provider }) => `The provider ${provider} did not authenticate the user again`,
  'upstream-user-unknown': ({ provider }) => `An account at ${provider} belongs to no user here`,
  'upstream-user-inactive': ({ provider }) => `The user with an account at ${provider} is disabled`,
  'upstream-linked-elsewhere': ({ provider }) => `An account at ${provider} is linked to another user`,
};
