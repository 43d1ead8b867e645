import { formatList, formatDuration, type MessagesFor } from '../messages.ts';

const CSRF_RULE = 'A web session needs its CSRF token for a method that changes something.';

/** What a protected operation asks of a bearer token. */
export const POLICY_MESSAGES: MessagesFor<
  | 'credentials-missing'
  | 'csrf-token-missing'
  | 'csrf-token-wrong'
  | 'token-unknown'
  | 'token-expired'
  | 'token-superseded'
  | 'token-client-removed'
  | 'token-for-other-resource'
  | 'token-lacks-scope'
  | 'policy-forbids'
> = {
  'credentials-missing': ({ accepts, seen }) => ({
    rule: 'The operation is protected.',
    expected:
      accepts
        .map((each) =>
          each === 'token' ? 'Authorization: Bearer and an access token' : 'a web session with its X-CSRF-Token',
        )
        .join(', or ') || 'nobody',
    seen,
    advice: 'Get an access token and send it in the Authorization header.',
  }),
  'csrf-token-missing': () => ({
    rule: CSRF_RULE,
    expected: 'the CSRF token of the session in the X-CSRF-Token header',
    seen: 'a web session without that header',
    advice: 'Read the token from the hidden field csrf_token of any page with a form. Or send an access token.',
  }),
  'csrf-token-wrong': () => ({
    rule: CSRF_RULE,
    expected: 'the CSRF token of the session in the X-CSRF-Token header',
    seen: 'another value in that header',
    advice: 'The token changes when the user logs in. Load a page again and read its hidden field csrf_token.',
  }),
  'token-unknown': ({ form }) => ({
    rule: 'The access token must be one that this server issued.',
    expected: 'a live access token',
    seen:
      form === 'access token' || form === 'JWT'
        ? 'one that this server has no record of: not from here, long expired or revoked'
        : form === 'incomplete'
          ? 'a credential that was cut short or mistyped'
          : form === 'other'
            ? 'something that was not made here'
            : `something that looks like another kind: ${form}`,
    advice: 'Send the access_token of the newest answer, whole and unchanged.',
  }),
  'token-expired': ({ secondsAgo }) => ({
    rule: 'An access token has an end.',
    expected: 'one that lives',
    seen: `expired ${formatDuration(secondsAgo)} ago`,
    advice: 'Refresh it when expires_in is over, or when a request is answered with invalid_token.',
  }),
  'token-superseded': ({ secondsAgo, position }) => ({
    rule: 'An access token ends once its refresh token was used and refreshReuseWindowSeconds are over.',
    expected: 'the access token of the newest refresh',
    seen: `one that was superseded by a refresh (position ${position} of the log) and ended ${formatDuration(secondsAgo)} ago`,
    advice: 'Use the access token of the newest answer. Let one process refresh, and hand its answer to the others.',
  }),
  'token-client-removed': () => ({
    rule: 'The tokens of an application end with it.',
    expected: 'a registered application',
    seen: 'one that was removed since',
    advice: 'Register the application anew.',
  }),
  'token-for-other-resource': ({ resource, here }) => ({
    rule: 'A token that is restricted to resource servers is for those alone (RFC 8707).',
    expected: here ?? 'a token without restriction',
    seen: `a token for ${formatList(resource)}`,
    advice: 'Ask for a token with this server as resource.',
  }),
  'token-lacks-scope': ({ alternatives, held }) => ({
    rule: 'The operation needs scopes.',
    expected: alternatives.map((scope) => scope.join(' ')).join(', or '),
    seen: `a token with ${formatList(held)}; missing ${alternatives.map((scope) => scope.filter((name) => !held.includes(name)).join(' ')).join(', or ')}`,
    advice: 'Ask for these scopes when the token is requested.',
  }),
  'policy-forbids': ({ method }) => ({
    rule: `The policy does not let this caller ${method} here.`,
    expected: 'a caller for whom the policy holds',
    seen: 'somebody else; no scope would help',
    advice: 'Check whose token or session it is, and the policy that the route declares.',
  }),
};
