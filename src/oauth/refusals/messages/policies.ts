import type { MessagesFor } from '../messages.ts';

const CSRF_RULE = 'A web session must send its CSRF token with methods that change something.';
const CSRF_EXPECTED = 'the CSRF token of the session in the X-CSRF-Token header';

/** What the policy of a protected operation requires of the caller. */
export const POLICY_MESSAGES: MessagesFor<
  'credentials-missing' | 'csrf-token-missing' | 'csrf-token-wrong' | 'policy-forbids'
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
  'policy-forbids': ({ method }) => ({
    rule: `The policy does not allow this caller to use ${method} here.`,
    expected: 'a caller whom the policy allows',
    seen: 'another caller; no scope would help',
    advice: 'Check whose token or session it is, and which policy the route declares.',
  }),
};
