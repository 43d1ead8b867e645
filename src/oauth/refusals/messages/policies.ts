import { joinTexts, message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import type { MessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

const CSRF_RULE = message('refusal.policies.csrf-rule');
const CSRF_EXPECTED = message('refusal.policies.csrf-expected');

const LOG_IN_AGAIN = message('refusal.policies.log-in-again');
const LOGIN_ADVICE: Readonly<Record<RefusalOf<'login-insufficient'>['problem'], Text>> = {
  'no-user': message('refusal.policies.login-advice.no-user'),
  'not-recorded': LOG_IN_AGAIN,
  'too-old': message('refusal.policies.login-advice.too-old'),
  'too-weak': LOG_IN_AGAIN,
};

const SEEN_CREDENTIALS: Readonly<Record<RefusalOf<'credentials-missing'>['seen'], Text>> = {
  nothing: message('refusal.credentials-missing.seen.nothing'),
  'another scheme': message('refusal.credentials-missing.seen.another-scheme'),
  'a web session': message('refusal.credentials-missing.seen.a-web-session'),
};

/** Messages about requests that do not meet the policy of a protected operation. */
export const POLICY_MESSAGES: MessagesFor<
  'credentials-missing' | 'csrf-token-missing' | 'csrf-token-wrong' | 'login-insufficient' | 'policy-forbids'
> = {
  'credentials-missing': ({ accepts, seen }) => ({
    rule: message('refusal.credentials-missing.rule'),
    expected: describeAcceptedCredentials(accepts),
    seen: SEEN_CREDENTIALS[seen],
    advice: message('refusal.credentials-missing.advice'),
  }),
  'csrf-token-missing': () => ({
    rule: CSRF_RULE,
    expected: CSRF_EXPECTED,
    seen: message('refusal.csrf-token-missing.seen'),
    advice: message('refusal.csrf-token-missing.advice'),
  }),
  'csrf-token-wrong': () => ({
    rule: CSRF_RULE,
    expected: CSRF_EXPECTED,
    seen: message('refusal.csrf-token-wrong.seen'),
    advice: message('refusal.csrf-token-wrong.advice'),
  }),
  'login-insufficient': (refusal) => ({
    rule: message('refusal.login-insufficient.rule'),
    expected: describeExpectedLogin(refusal),
    seen: describeSeenLogin(refusal),
    advice: LOGIN_ADVICE[refusal.problem],
  }),
  'policy-forbids': ({ method }) => ({
    rule: message('refusal.policy-forbids.rule', { method }),
    expected: message('refusal.policy-forbids.expected'),
    seen: message('refusal.policy-forbids.seen'),
    advice: message('refusal.policy-forbids.advice'),
  }),
};

function describeExpectedLogin({ maxAgeSeconds, acr }: RefusalOf<'login-insufficient'>): Text {
  const age = maxAgeSeconds === null ? undefined : durationMessage(maxAgeSeconds);
  const strength = joinTexts(acr, 'problem.either');
  if (age === undefined) return message('refusal.login-insufficient.expected-acr', { acr: strength ?? '' });
  return strength === undefined
    ? message('refusal.login-insufficient.expected-age', { age })
    : message('refusal.login-insufficient.expected-both', { age, acr: strength });
}

function describeSeenLogin({ problem, ageSeconds, seenAcr }: RefusalOf<'login-insufficient'>): Text {
  if (problem === 'no-user') return message('refusal.login-insufficient.seen-no-user');
  if (problem === 'not-recorded') return message('refusal.login-insufficient.seen-not-recorded');
  return problem === 'too-old'
    ? message('refusal.login-insufficient.seen-age', { age: durationMessage(ageSeconds ?? 0) })
    : message('refusal.login-insufficient.seen-acr', { acr: String(seenAcr) });
}

function describeAcceptedCredentials(accepts: RefusalOf<'credentials-missing'>['accepts']): Text {
  const methods = accepts.map((kind) => message(kind === 'token' ? 'refusal.by-token' : 'refusal.by-session'));
  return methods.length === 0
    ? message('refusal.by-nobody')
    : methods.reduce((one, other) => message('refusal.or-also', { one, other }));
}
