import { message, type Text } from '../../../language/message.ts';
import { formatDuration, type MessagesFor } from '../messages.ts';
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

/** The requirements of the policy of a protected operation. */
export const POLICY_MESSAGES: MessagesFor<
  'credentials-missing' | 'csrf-token-missing' | 'csrf-token-wrong' | 'login-insufficient' | 'policy-forbids'
> = {
  'credentials-missing': ({ accepts, seen }) => ({
    rule: message('refusal.credentials-missing.rule'),
    expected: acceptedText(accepts),
    seen,
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
  'login-insufficient': ({ problem, maxAgeSeconds, acr, ageSeconds, seenAcr }) => ({
    rule: message('refusal.login-insufficient.rule'),
    expected: [
      ...(maxAgeSeconds === null ? [] : [`a login at most ${formatDuration(maxAgeSeconds)} ago`]),
      ...(acr.length === 0 ? [] : [`acr ${acr.join(' or ')}`]),
    ].join(', and '),
    seen: {
      'no-user': 'a token of a client that acts for itself',
      'not-recorded': 'a login whose time or kind is not recorded',
      'too-old': `a login ${formatDuration(ageSeconds ?? 0)} ago`,
      'too-weak': `acr ${seenAcr}`,
    }[problem],
    advice: LOGIN_ADVICE[problem],
  }),
  'policy-forbids': ({ method }) => ({
    rule: message('refusal.policy-forbids.rule', { method }),
    expected: message('refusal.policy-forbids.expected'),
    seen: message('refusal.policy-forbids.seen'),
    advice: message('refusal.policy-forbids.advice'),
  }),
};

function acceptedText(accepts: RefusalOf<'credentials-missing'>['accepts']): Text {
  const texts = accepts.map((each) => message(each === 'token' ? 'refusal.by-token' : 'refusal.by-session'));
  return texts.length === 0
    ? message('refusal.by-nobody')
    : texts.reduce((one, other) => message('refusal.or-also', { one, other }));
}
