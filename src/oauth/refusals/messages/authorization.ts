import { english } from '../../../language/english.ts';
import { message, type Text } from '../../../language/message.ts';
import { formatList } from '../list-text.ts';
import { wire, type MessagesFor, type ProtocolMessagesFor } from '../messages.ts';
import type { HintProblem, RefusalOf } from '../refusal.ts';
import { formatDifferences, type UriDifference } from '../uri-difference.ts';

const SILENT_RULE = message('refusal.authorization.silent');
const EXPECTED_LOGIN = message('refusal.authorization.expected-login');
const SEEN_LOGINS: Readonly<Record<RefusalOf<'log-in-required'>['why'], Text>> = {
  nobody: message('refusal.authorization.login-seen.nobody'),
  'too-old': message('refusal.authorization.login-seen.too-old'),
  'another-user': message('refusal.authorization.login-seen.another-user'),
  'login-class': message('refusal.authorization.login-seen.login-class'),
  'second-factor': message('refusal.authorization.login-seen.second-factor'),
  'not-recorded': message('refusal.authorization.login-seen.not-recorded'),
};
const HINT_PROBLEMS: Readonly<Record<HintProblem, Text>> = {
  'not-of-this-server': message('refusal.authorization.hint-problems.not-of-this-server'),
  'of-another-client': message('refusal.authorization.hint-problems.of-another-client'),
};
const SEEN_IN_TEST_MODE: Readonly<Record<RefusalOf<'client-in-test-mode'>['what'], Text>> = {
  authorization: message('refusal.authorization.test-mode-seen.authorization'),
  password: message('refusal.authorization.test-mode-seen.password'),
  code: message('refusal.authorization.test-mode-seen.code'),
  device_code: message('refusal.authorization.test-mode-seen.device-code'),
  refresh_token: message('refusal.authorization.test-mode-seen.refresh-token'),
  subject_token: message('refusal.authorization.test-mode-seen.subject-token'),
  assertion: message('refusal.authorization.test-mode-seen.assertion'),
};
const SILENT_ADVICE = message('refusal.authorization.without-prompt');

/** Messages about authorization requests whose refusal is reported to the client. Other endpoints use some of these. */
export const AUTHORIZATION_MESSAGES: ProtocolMessagesFor<
  | 'code-challenge-missing'
  | 'log-in-required'
  | 'consent-required'
  | 'interaction-required'
  | 'login-class-unmet'
  | 'hinted-user-not-logged-in'
  | 'hint-refused'
  | 'parameter-not-supported'
  | 'client-in-test-mode'
> = {
  'code-challenge-missing': ({ clientType, isMethodSent }) => ({
    wire: wire(
      'invalid_request',
      isMethodSent
        ? 'code_challenge_method was sent without code_challenge'
        : 'code_challenge is required (PKCE, RFC 7636)',
    ),
    rule: message('refusal.code-challenge-missing.rule'),
    expected: message('refusal.code-challenge-missing.expected'),
    seen: isMethodSent
      ? message('refusal.code-challenge-missing.seen')
      : message('refusal.code-challenge-missing.seen-2', { clientType }),
    advice: message('refusal.code-challenge-missing.advice'),
  }),
  'client-in-test-mode': ({ what }) => ({
    // Not invalid_grant, because a client would then discard a refresh token that works again in live mode.
    wire: wire(
      what === 'authorization' ? 'access_denied' : 'unauthorized_client',
      'the application is in test mode, and the user is not one of its test users',
    ),
    rule: message('refusal.client-in-test-mode.rule'),
    expected: message('refusal.client-in-test-mode.expected'),
    seen: SEEN_IN_TEST_MODE[what],
    advice: message('refusal.client-in-test-mode.advice'),
  }),
  'log-in-required': ({ why, maxAgeSeconds }) => ({
    wire: wire('login_required', 'the user has to log in'),
    rule: SILENT_RULE,
    expected: maxAgeSeconds === null ? EXPECTED_LOGIN : message('refusal.log-in-required.expected', { maxAgeSeconds }),
    seen: SEEN_LOGINS[why],
    advice: SILENT_ADVICE,
  }),
  'consent-required': ({ missing }) => ({
    wire: wire('consent_required', 'the user has not authorized this request'),
    rule: SILENT_RULE,
    expected: message('refusal.consent-required.expected'),
    seen: message('refusal.consent-required.seen', { missing: formatList(missing) }),
    advice: SILENT_ADVICE,
  }),
  'interaction-required': ({ clientType }) => ({
    wire: wire('interaction_required', 'the user has to confirm the request, because any program could have sent it'),
    rule: SILENT_RULE,
    expected: message('refusal.interaction-required.expected'),
    seen: message('refusal.interaction-required.seen', { clientType }),
    advice: message('refusal.interaction-required.advice'),
  }),
  'login-class-unmet': ({ expected, seen }) => ({
    wire: wire('unmet_authentication_requirements', 'the login does not meet the requirements of the request'),
    rule: message('refusal.login-class-unmet.rule'),
    expected: message('refusal.login-class-unmet.expected', { expected: formatList(expected) }),
    seen:
      seen === null ? message('refusal.login-class-unmet.seen') : message('refusal.login-class-unmet.seen-2', { seen }),
    advice: message('refusal.login-class-unmet.advice'),
  }),
  'hinted-user-not-logged-in': () => ({
    wire: wire('login_required', 'a different user has logged in'),
    rule: message('refusal.hinted-user-not-logged-in.rule'),
    expected: message('refusal.hinted-user-not-logged-in.expected'),
    seen: message('refusal.hinted-user-not-logged-in.seen'),
    advice: message('refusal.hinted-user-not-logged-in.advice'),
  }),
  'hint-refused': ({ problem }) => ({
    wire: wire('invalid_request', `id_token_hint is ${english.text(HINT_PROBLEMS[problem])}`),
    rule: message('refusal.hint-refused.rule'),
    expected: message('refusal.hint-refused.expected'),
    seen: HINT_PROBLEMS[problem],
    advice: message('refusal.hint-refused.advice'),
  }),
  'parameter-not-supported': ({ parameter }) => ({
    wire: wire(`${parameter}_not_supported`, `${parameter} is not supported`),
    rule: message('refusal.parameter-not-supported.rule', { parameter }),
    expected: message('refusal.parameter-not-supported.expected'),
    seen: parameter,
    advice: message('refusal.parameter-not-supported.advice', { parameter }),
  }),
};

/** Describes the differences from the most similar registered URI; `closest` is null if no URI is registered. */
function describeUriDifferences(closest: string | null, differences: readonly UriDifference[]) {
  return closest === null
    ? {
        expected: message('refusal.authorization.with-closest.expected'),
        seen: message('refusal.authorization.with-closest.seen'),
      }
    : {
        expected: formatDifferences(differences, 'expected'),
        seen: formatDifferences(differences, 'seen'),
      };
}

/**
 * Messages about refusals that have no OAuth error of their own, because a URI cannot be used, the user denied the
 * request, or the consent form is not valid.
 */
export const CONSENT_MESSAGES: MessagesFor<
  | 'post-logout-uri-without-client'
  | 'post-logout-uri-not-registered'
  | 'redirect-uri-missing'
  | 'redirect-uri-not-registered'
  | 'redirect-uri-not-allowed'
  | 'denied'
  | 'request-aged'
  | 'request-answered'
  | 'form-not-of-session'
> = {
  'redirect-uri-missing': ({ registered }) => ({
    rule: message('refusal.redirect-uri-missing.rule'),
    expected: 'redirect_uri',
    seen: message('refusal.redirect-uri-missing.seen', { registered }),
    advice: message('refusal.redirect-uri-missing.advice'),
  }),
  'redirect-uri-not-registered': ({ closest, differences, registered }) => ({
    rule: message('refusal.redirect-uri-not-registered.rule'),
    ...describeUriDifferences(closest, differences),
    advice:
      registered === 0
        ? message('refusal.redirect-uri-not-registered.advice')
        : message('refusal.redirect-uri-not-registered.advice-2'),
  }),
  'post-logout-uri-without-client': () => ({
    rule: message('refusal.post-logout-uri-without-client.rule'),
    expected: message('refusal.post-logout-uri-without-client.expected'),
    seen: message('refusal.post-logout-uri-without-client.seen'),
    advice: message('refusal.post-logout-uri-without-client.advice'),
  }),
  'post-logout-uri-not-registered': ({ closest, differences, registered }) => ({
    rule: message('refusal.post-logout-uri-not-registered.rule'),
    ...describeUriDifferences(closest, differences),
    advice:
      registered === 0
        ? message('refusal.post-logout-uri-not-registered.advice')
        : message('refusal.post-logout-uri-not-registered.advice-2'),
  }),
  'redirect-uri-not-allowed': ({ uri, problem, setting }) => ({
    rule: message('refusal.redirect-uri-not-allowed.rule'),
    expected: message('refusal.redirect-uri-not-allowed.expected'),
    seen: message('refusal.redirect-uri-not-allowed.seen', { uri, problem }),
    advice: message('refusal.redirect-uri-not-allowed.advice', {
      hasSetting: setting === null ? 'no' : 'yes',
      setting: setting ?? '',
    }),
  }),
  denied: ({ how }) => ({
    rule: message('refusal.denied.rule'),
    expected: message('refusal.denied.expected'),
    seen: how === 'refused' ? message('refusal.denied.seen') : message('refusal.denied.seen-2'),
    advice: message('refusal.denied.advice'),
  }),
  'request-aged': () => ({
    rule: message('refusal.request-aged.rule'),
    expected: message('refusal.request-aged.expected'),
    seen: message('refusal.request-aged.seen'),
    advice: message('refusal.request-aged.advice'),
  }),
  'request-answered': () => ({
    rule: message('refusal.request-answered.rule'),
    expected: message('refusal.request-answered.expected'),
    seen: message('refusal.request-answered.seen'),
    advice: message('refusal.request-answered.advice'),
  }),
  'form-not-of-session': () => ({
    rule: message('refusal.form-not-of-session.rule'),
    expected: message('refusal.form-not-of-session.expected'),
    seen: message('refusal.form-not-of-session.seen'),
    advice: message('refusal.form-not-of-session.advice'),
  }),
};
