import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { type MessagesFor } from '../messages.ts';
import { checkName } from '../named-choices.ts';
import type { NoUserReason, UpstreamRefusal } from '../upstream-refusal.ts';

const NO_USER_EXPLANATIONS: Readonly<Record<NoUserReason, { readonly seen: Text; readonly advice: Text }>> = {
  'not-linked': {
    seen: message('refusal.upstream.no-user.not-linked.seen'),
    advice: message('refusal.upstream.no-user.not-linked.advice'),
  },
  'address-unverified': {
    seen: message('refusal.upstream.no-user.address-unverified.seen'),
    advice: message('refusal.upstream.no-user.address-unverified.advice'),
  },
  'domain-not-allowed': {
    seen: message('refusal.upstream.no-user.domain-not-allowed.seen'),
    advice: message('refusal.upstream.no-user.domain-not-allowed.advice'),
  },
  'address-taken': {
    seen: message('refusal.upstream.no-user.address-taken.seen'),
    advice: message('refusal.upstream.no-user.address-taken.advice'),
  },
  'name-unusable': {
    seen: message('refusal.upstream.no-user.name-unusable.seen'),
    advice: message('refusal.upstream.no-user.name-unusable.advice'),
  },
};

const UNKNOWN_LOGIN_MESSAGES = {
  'not-of-browser': message('refusal.upstream.not-known.not-of-browser'),
  expired: message('refusal.upstream.not-known.expired'),
  'other-state': message('refusal.upstream.not-known.other-state'),
} as const;

/** Messages about logins through providers. Only pages report these refusals. */
export const UPSTREAM_MESSAGES: MessagesFor<UpstreamRefusal['rule']> = {
  'upstream-unavailable': ({ provider, what, problem }) => ({
    rule: message('refusal.upstream-unavailable.rule'),
    expected: message('refusal.upstream-unavailable.expected', { what, provider }),
    seen: message('refusal.upstream-unavailable.seen', { problem }),
    advice: message('refusal.upstream-unavailable.advice', { provider }),
  }),
  'upstream-login-unknown': ({ why }) => ({
    rule: message('refusal.upstream-login-unknown.rule'),
    expected: message('refusal.upstream-login-unknown.expected'),
    seen: UNKNOWN_LOGIN_MESSAGES[why],
    advice: message('refusal.upstream-login-unknown.advice'),
  }),
  'upstream-provider-changed': ({ provider, isRemoved }) => ({
    rule: message('refusal.upstream-provider-changed.rule'),
    expected: message('refusal.upstream-provider-changed.expected', { provider }),
    seen: isRemoved
      ? message('refusal.upstream-provider-changed.seen')
      : message('refusal.upstream-provider-changed.seen-2'),
    advice: message('refusal.upstream-provider-changed.advice'),
  }),
  'upstream-issuer-differs': ({ provider, expected, seen }) => ({
    rule: message('refusal.upstream-issuer-differs.rule'),
    expected: message('refusal.upstream-issuer-differs.expected', { expected, provider }),
    seen:
      seen === null
        ? message('refusal.upstream-issuer-differs.seen')
        : message('refusal.upstream-issuer-differs.seen-2', { seen }),
    advice: message('refusal.upstream-issuer-differs.advice'),
  }),
  'upstream-denied': ({ provider, error }) => ({
    rule: message('refusal.upstream-denied.rule'),
    expected: message('refusal.upstream-denied.expected', { provider }),
    seen: message('refusal.upstream-denied.seen', { error }),
    advice: message('refusal.upstream-denied.advice'),
  }),
  'upstream-code-refused': ({ provider, error }) => ({
    rule: message('refusal.upstream-code-refused.rule'),
    expected: message('refusal.upstream-code-refused.expected', { provider }),
    seen: error,
    advice: message('refusal.upstream-code-refused.advice'),
  }),
  'upstream-token-invalid': ({ provider, check, expected, seen }) => ({
    rule: message('refusal.upstream-token-invalid.rule', { check: checkName(check) }),
    expected: message('refusal.upstream-token-invalid.expected', { expected, provider }),
    seen,
    advice: message('refusal.upstream-token-invalid.advice'),
  }),
  'upstream-login-too-old': ({ provider, secondsAgo }) => ({
    rule: message('refusal.upstream-login-too-old.rule'),
    expected: message('refusal.upstream-login-too-old.expected', { provider }),
    seen: message('refusal.upstream-login-too-old.seen', { duration: durationMessage(secondsAgo) }),
    advice: message('refusal.upstream-login-too-old.advice'),
  }),
  'upstream-user-unknown': ({ provider, why }) => ({
    rule: message('refusal.upstream-user-unknown.rule'),
    expected: message('refusal.upstream-user-unknown.expected', { provider }),
    ...NO_USER_EXPLANATIONS[why],
  }),
  'upstream-user-inactive': ({ provider }) => ({
    rule: message('refusal.upstream-user-inactive.rule'),
    expected: message('refusal.upstream-user-inactive.expected', { provider }),
    seen: message('refusal.upstream-user-inactive.seen'),
    advice: message('refusal.upstream-user-inactive.advice'),
  }),
  'upstream-linked-elsewhere': ({ provider }) => ({
    rule: message('refusal.upstream-linked-elsewhere.rule'),
    expected: message('refusal.upstream-linked-elsewhere.expected', { provider }),
    seen: message('refusal.upstream-linked-elsewhere.seen'),
    advice: message('refusal.upstream-linked-elsewhere.advice'),
  }),
};
