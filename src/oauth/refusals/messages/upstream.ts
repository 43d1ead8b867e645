import { formatDuration, type MessagesFor } from '../messages.ts';
import type { NoUserReason, UpstreamRefusal } from '../upstream-refusal.ts';

const NO_USER: Readonly<Record<NoUserReason, { readonly seen: string; readonly advice: string }>> = {
  'not-linked': {
    seen: 'an account at the provider that is linked to nobody here, and the provider does not create users',
    advice: 'Let the user log in here and link the account, or let the provider create users.',
  },
  'address-unverified': {
    seen: 'an e-mail address that the provider does not state to be verified (email_verified is not true)',
    advice: 'Verify the address at the provider, let the user link the account here, or allow every domain.',
  },
  'domain-not-allowed': {
    seen: 'an e-mail address in a domain that is not allowed',
    advice: 'Add the domain to those of the provider, if its users should have accounts here.',
  },
  'address-taken': {
    seen: 'a verified e-mail address that a user here has verified, too',
    advice: 'Let that user log in and link the account, or link accounts by verified e-mail address.',
  },
  'name-unusable': {
    seen: 'no claim from which a user name could be made that is free here',
    advice: 'Add the account here, and let its user link the account at the provider.',
  },
};

const NOT_KNOWN = {
  'not-of-browser': 'a response without the cookie of a login that began in this browser',
  expired: 'a login that began too long ago, or was answered before',
  'other-state': 'another state',
} as const;

/** Logins through OpenID providers. Only pages report them. */
export const UPSTREAM_MESSAGES: MessagesFor<UpstreamRefusal['rule']> = {
  'upstream-unavailable': ({ provider, what, problem }) => ({
    rule: 'A login through a provider reads its metadata, its keys and its tokens.',
    expected: `${what} of the provider ${provider}`,
    seen: `its address ${problem}`,
    advice: `Test the connection: grantlog provider test ${provider}`,
  }),
  'upstream-login-unknown': ({ why }) => ({
    rule: 'A response of a provider belongs to a login that began in the same browser a few minutes before.',
    expected: 'the state of that login (OpenID Connect Core §3.1.2.1)',
    seen: NOT_KNOWN[why],
    advice: 'Start the login again. If it happens often, somebody may be luring users to responses of their own.',
  }),
  'upstream-provider-changed': ({ provider, isRemoved }) => ({
    rule: 'A login through a provider ends with the settings that it began with.',
    expected: `the same settings of the provider ${provider}`,
    seen: isRemoved ? 'no such provider any more' : 'other settings',
    advice: 'Start the login again.',
  }),
  'upstream-issuer-differs': ({ provider, expected, seen }) => ({
    rule: 'A response comes from the provider that the login began with (RFC 9207 §2.4).',
    expected: `iss ${expected}, of the provider ${provider}`,
    seen: seen === null ? 'no iss, although the provider states that it sends one' : `iss ${seen}`,
    advice: 'Do not ignore this: it is what an attack looks like that mixes up two providers.',
  }),
  'upstream-denied': ({ provider, error }) => ({
    rule: 'The provider authenticates the user.',
    expected: `an authorization code of the provider ${provider}`,
    seen: `the error ${error}`,
    advice: 'The log of the provider says why. A user who cancels gets access_denied.',
  }),
  'upstream-code-refused': ({ provider, error }) => ({
    rule: 'The provider exchanges the authorization code for an ID token.',
    expected: `an ID token of the provider ${provider}`,
    seen: error,
    advice:
      'With invalid_client, correct the client id and the secret. With invalid_grant, start again: a code works once.',
  }),
  'upstream-token-invalid': ({ provider, check, expected, seen }) => ({
    rule: `An ID token passes every check of OpenID Connect Core §3.1.3.7. This one failed at: ${check}.`,
    expected: `${expected}, from the provider ${provider}`,
    seen,
    advice: 'Compare the issuer, the client id and the clock with those of the provider. Do not weaken the check.',
  }),
  'upstream-login-too-old': ({ provider, secondsAgo }) => ({
    rule: 'When a login must be fresh, the provider authenticates the user again (max_age, auth_time).',
    expected: `auth_time of this login, from the provider ${provider}`,
    seen: `an authentication ${formatDuration(secondsAgo)} ago`,
    advice: 'Log out at the provider first. A provider that ignores max_age cannot be used where a fresh login is due.',
  }),
  'upstream-user-unknown': ({ provider, why }) => ({
    rule: 'A login through a provider is for the user to whom the account there is linked.',
    expected: `an account at ${provider} that is linked to a user, or that may be`,
    ...NO_USER[why],
  }),
  'upstream-user-inactive': ({ provider }) => ({
    rule: 'Only active users log in.',
    expected: `an active user, linked to the account at ${provider}`,
    seen: 'a user who is disabled',
    advice: 'Enable the account, if its user should have access again: grantlog user enable NAME',
  }),
  'upstream-linked-elsewhere': ({ provider }) => ({
    rule: 'An account at a provider is linked to one user.',
    expected: `an account at ${provider} that is linked to nobody else`,
    seen: 'one that another user logs in with',
    advice: 'Let that user unlink it first, or use another account at the provider.',
  }),
};
