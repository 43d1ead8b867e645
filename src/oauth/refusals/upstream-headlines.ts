import { checkName } from './named-choices.ts';
import type { MessageKey } from '../../language/catalog.ts';
import { message, type Message } from '../../language/message.ts';
import type { PasswordsOff, UpstreamRefusal } from './upstream-refusal.ts';

type LoginRefusal = PasswordsOff | UpstreamRefusal;

type HeadlineOf<Rule extends LoginRefusal['rule']> =
  | MessageKey
  | ((refusal: Extract<LoginRefusal, { readonly rule: Rule }>) => Message);

/** The headlines for refused logins through providers, and for passwords while password logins are off. */
export const UPSTREAM_HEADLINES: { readonly [Rule in LoginRefusal['rule']]: HeadlineOf<Rule> } = {
  'passwords-off': 'headline.passwords-off',
  'upstream-unavailable': ({ provider }) => message('headline.upstream-unavailable', { provider }),
  'upstream-login-unknown': 'headline.upstream-login-unknown',
  'upstream-provider-changed': ({ provider }) => message('headline.upstream-provider-changed', { provider }),
  'upstream-issuer-differs': ({ provider }) => message('headline.upstream-issuer-differs', { provider }),
  'upstream-denied': ({ provider }) => message('headline.upstream-denied', { provider }),
  'upstream-code-refused': ({ provider }) => message('headline.upstream-code-refused', { provider }),
  'upstream-token-invalid': ({ provider, check }) =>
    message('headline.upstream-token-invalid', { provider, check: checkName(check) }),
  'upstream-login-too-old': ({ provider }) => message('headline.upstream-login-too-old', { provider }),
  'upstream-user-unknown': ({ provider }) => message('headline.upstream-user-unknown', { provider }),
  'upstream-user-inactive': ({ provider }) => message('headline.upstream-user-inactive', { provider }),
  'upstream-linked-elsewhere': ({ provider }) => message('headline.upstream-linked-elsewhere', { provider }),
};
