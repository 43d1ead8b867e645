import { formatDuration, type MessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

const CSRF_RULE = 'A web session must send its CSRF token with methods that change something.';
const CSRF_EXPECTED = 'the CSRF token of the session in the X-CSRF-Token header';

const LOG_IN_AGAIN =
  'Send the user to the authorization endpoint with acr_values and max_age of the challenge. Use the new token.';
const LOGIN_ADVICE: Readonly<Record<RefusalOf<'login-insufficient'>['problem'], string>> = {
  'no-user': 'Use the authorization code grant, so that the token is of a user.',
  'not-recorded': LOG_IN_AGAIN,
  'too-old': `${LOG_IN_AGAIN} A refresh does not make the login newer.`,
  'too-weak': LOG_IN_AGAIN,
};

/** The requirements of the policy of a protected operation. */
export const POLICY_MESSAGES: MessagesFor<
  'credentials-missing' | 'csrf-token-missing' | 'csrf-token-wrong' | 'login-insufficient' | 'policy-forbids'
> = {
  'credentials-missing': ({ accepts, seen }) => ({
    rule: 'The operation is protected.',
    expected:
      accepts
        .map((each) =>
          each === 'token'
            ? 'an access token in Authorization: Bearer'
            : 'a web session with its CSRF token in X-CSRF-Token',
        )
        .join(', or ') || 'nobody has access',
    seen,
    advice: 'Get an access token and send it in the Authorization header.',
  }),
  'csrf-token-missing': () => ({
    rule: CSRF_RULE,
    expected: CSRF_EXPECTED,
    seen: 'a web session without that header',
    advice: 'Read the token from the hidden field csrf_token of any page with a form. Or send an access token.',
  }),
  'csrf-token-wrong': () => ({
    rule: CSRF_RULE,
    expected: CSRF_EXPECTED,
    seen: 'a different value in that header',
    advice: 'The token changes when the user logs in. Reload a page and read its hidden field csrf_token.',
  }),
  'login-insufficient': ({ problem, maxAgeSeconds, acr, ageSeconds, seenAcr }) => ({
    rule: 'The operation requires a recent or strong login of the user (RFC 9470).',
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
    rule: `The policy does not allow this caller to use ${method} here.`,
    expected: 'a caller whom the policy allows',
    seen: 'another caller; no scope would help',
    advice: 'Check whose token or session it is, and which policy the route declares.',
  }),
};
