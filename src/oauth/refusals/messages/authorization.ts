import { formatList, wire, type MessagesFor, type ProtocolMessagesFor } from '../messages.ts';
import type { HintProblem, RefusalOf } from '../refusal.ts';
import { formatDifferences, type UriDifference } from '../uri-difference.ts';

const SILENT = 'prompt=none allows no page to be shown.';
const EXPECTED_LOGIN = 'the user that the request is for, logged in as the request requires';
const LOGIN_SEEN: Readonly<Record<RefusalOf<'log-in-required'>['why'], string>> = {
  nobody: 'nobody is logged in',
  'too-old': 'a login that is older than max_age allows',
  'another-user': 'another user than id_token_hint or the claim sub names',
  'login-class': 'a login of another acr than the essential one',
  'second-factor': 'a login without the second factor that the application requires',
  'not-recorded': 'a login whose time and method are not recorded, because an earlier release started the session',
};
const HINT_PROBLEMS: Readonly<Record<HintProblem, string>> = {
  'not-of-this-server': 'not an ID token of this server',
  'of-another-client': 'an ID token of another client',
};
const TEST_MODE_SEEN: Readonly<Record<RefusalOf<'client-in-test-mode'>['what'], string>> = {
  authorization: 'another user, who is logged in',
  password: 'the password of another user',
  code: 'a code that another user gave before the application was in test mode, or as a test user',
  device_code: 'a device code that another user approved before the application was in test mode, or as a test user',
  refresh_token: 'a refresh token that another user gave before the application was in test mode, or as a test user',
  subject_token: 'a subject token of another user',
  assertion: 'an assertion about another user',
};
const WITHOUT_PROMPT = 'Send the user here without prompt=none.';

/** Refusals of an authorization request that the client learns of by redirect. */
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
    rule: 'This request requires PKCE (RFC 7636).',
    expected: 'code_challenge and code_challenge_method=S256',
    seen: isMethodSent ? 'only code_challenge_method' : `neither, from a ${clientType} client`,
    advice: 'Enable PKCE in the client library. Keep the verifier for the token request.',
  }),
  'client-in-test-mode': ({ what }) => ({
    // Not invalid_grant: a client would discard a refresh token that works again in live mode
    wire: wire(
      what === 'authorization' ? 'access_denied' : 'unauthorized_client',
      'the application is in test mode, and the user is not one of its test users',
    ),
    rule: 'In test mode, only the owners of the application and its test users can authorize it.',
    expected: 'an owner or a test user of the application',
    seen: TEST_MODE_SEEN[what],
    advice: 'Invite the user as a test user on the tab People, or switch the application to live mode there.',
  }),
  'log-in-required': ({ why, maxAgeSeconds }) => ({
    wire: wire('login_required', 'the user has to log in'),
    rule: SILENT,
    expected: maxAgeSeconds === null ? EXPECTED_LOGIN : `${EXPECTED_LOGIN}, at most ${maxAgeSeconds} seconds ago`,
    seen: LOGIN_SEEN[why],
    advice: WITHOUT_PROMPT,
  }),
  'consent-required': ({ missing }) => ({
    wire: wire('consent_required', 'the user has not authorized this request'),
    rule: SILENT,
    expected: 'earlier consent to everything requested, with a grant that is still active',
    seen: `no such consent to ${formatList(missing)}`,
    advice: WITHOUT_PROMPT,
  }),
  'interaction-required': ({ clientType }) => ({
    wire: wire('interaction_required', 'the user has to confirm the request, because anyone could send it'),
    rule: SILENT,
    expected: 'a client whose redirect URI no other program can receive (RFC 8252 §8.6)',
    seen: `a ${clientType} client on a loopback address or with a private-use scheme`,
    advice: `${WITHOUT_PROMPT} To authorize without a page, use an https redirect URI or a confidential client.`,
  }),
  'login-class-unmet': ({ expected, seen }) => ({
    wire: wire('unmet_authentication_requirements', 'the user did not log in as the request requires'),
    rule: 'An essential acr (OpenID Connect Core §5.5.1.1) and acr_values (RFC 9470 §5) must be met.',
    expected: `acr ${formatList(expected)}`,
    seen: seen === null ? 'a login whose kind is not recorded' : `acr ${seen}`,
    advice:
      'Tell the user to log in with a passkey for acr phr, or with a second factor for acr mfa. Or request a weaker ' +
      'class, too.',
  }),
  'hinted-user-not-logged-in': () => ({
    wire: wire('login_required', 'another user has logged in'),
    rule: 'The user of id_token_hint, or of the claim sub, must log in (OpenID Connect Core §3.1.2.1).',
    expected: 'the user that the request named',
    seen: 'a login of another user',
    advice: 'Let the user log in again, or send the request without the hint to accept any user.',
  }),
  'hint-refused': ({ problem }) => ({
    wire: wire('invalid_request', `id_token_hint is ${HINT_PROBLEMS[problem]}`),
    rule: 'id_token_hint must be an ID token of this server for this client. It may have expired.',
    expected: 'the last ID token that this client received from this server',
    seen: HINT_PROBLEMS[problem],
    advice: 'Send the ID token unchanged. A token without a signature, or of another server, is never accepted.',
  }),
  'parameter-not-supported': ({ parameter }) => ({
    wire: wire(`${parameter}_not_supported`, `${parameter} is not supported`),
    rule: `This server does not support the parameter ${parameter}.`,
    expected: 'all parameters in the query or in the form',
    seen: parameter,
    advice: `Turn off ${parameter === 'registration' ? 'self-issued registration' : 'request objects'} in the library.`,
  }),
};

/** The parts in which a URI differs from the registered one that is most like it; null if none is registered. */
function withClosest(closest: string | null, differences: readonly UriDifference[]) {
  return closest === null
    ? { expected: 'a registered URI', seen: 'a URI, but the application has registered none' }
    : {
        expected: formatDifferences(differences, 'expected'),
        seen: formatDifferences(differences, 'seen'),
      };
}

const ANOTHER_URI = 'Register another redirect URI for the application, and send that one.';

/** Refusals that only the user sees: the redirect URI cannot be used, or the consent form is no longer valid. */
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
    rule: 'redirect_uri may be omitted only if exactly one is registered.',
    expected: 'redirect_uri',
    seen: `none, with ${registered} registered`,
    advice: 'Send the redirect_uri to which the response should go.',
  }),
  'redirect-uri-not-registered': ({ closest, differences, registered }) => ({
    rule: 'redirect_uri must match a registered one exactly (RFC 9700 §2.1).',
    ...withClosest(closest, differences),
    advice:
      registered === 0
        ? "Register it on the application's page."
        : 'It must match exactly, including any trailing slash. Register this URI only if it is your own: codes are ' +
          'sent to registered URIs.',
  }),
  'post-logout-uri-without-client': () => ({
    rule: 'post_logout_redirect_uri needs an application (OpenID Connect RP-Initiated Logout §2).',
    expected: 'id_token_hint, or client_id',
    seen: 'neither',
    advice: 'Send the last ID token of the user as id_token_hint. Then the user need not confirm, either.',
  }),
  'post-logout-uri-not-registered': ({ closest, differences, registered }) => ({
    rule: 'post_logout_redirect_uri must match a registered one exactly (OpenID Connect RP-Initiated Logout §3).',
    ...withClosest(closest, differences),
    advice:
      registered === 0
        ? "Register it on the application's page."
        : 'Put what changes into state, which is returned. The URI must match exactly, including its query.',
  }),
  'redirect-uri-not-allowed': ({ uri, problem, setting }) => ({
    rule: 'The current settings must allow a redirect URI when it is used, not only when it is registered.',
    expected: 'a redirect URI that the current settings allow',
    seen: `${uri}, which ${problem}`,
    advice: `${ANOTHER_URI}${setting === null ? '' : ` The operator can allow this one with ${setting}.`}`,
  }),
  denied: ({ how }) => ({
    rule: 'The user decides about access.',
    expected: 'consent',
    seen: how === 'refused' ? 'the user declined' : 'the user removed every scope',
    advice: 'Nothing is wrong. Tell the user what the access is for, and let them try again.',
  }),
  'request-aged': () => ({
    rule: 'A consent form is valid for an hour, in the session and for the user to whom it was shown.',
    expected: 'a form shown to this user within the last hour',
    seen: 'an older form, or one of another user',
    advice: 'Start again in the application.',
  }),
  'request-answered': () => ({
    rule: 'A consent form can be answered once.',
    expected: 'the first answer',
    seen: 'a second answer to a form whose code was redeemed or has expired',
    advice: 'Start again in the application.',
  }),
  'form-not-of-session': () => ({
    rule: 'A consent form is valid only in the session in which it was shown.',
    expected: 'the form of the current session',
    seen: 'a form of another session, of another site or of a session that has ended',
    advice:
      'Go back to the application and start again. A program cannot consent for a user, who has to press the button.',
  }),
};
