import { wire, type MessagesFor, type ProtocolMessagesFor } from '../messages.ts';
import { formatDifferences } from '../uri-difference.ts';

const SILENT = 'prompt=none allows no page to be shown.';
const WITHOUT_PROMPT = 'Send the user here without prompt=none.';

/** Refusals of an authorization request that the client learns of by redirect. */
export const AUTHORIZATION_MESSAGES: ProtocolMessagesFor<
  'code-challenge-missing' | 'log-in-required' | 'consent-required'
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
  'log-in-required': () => ({
    wire: wire('login_required', 'the user is not logged in'),
    rule: SILENT,
    expected: 'a user who has logged in, recently enough for max_age',
    seen: 'no user, or a login that is too old',
    advice: WITHOUT_PROMPT,
  }),
  'consent-required': () => ({
    wire: wire('consent_required', 'the user has not authorized this request'),
    rule: SILENT,
    expected: 'earlier consent to everything requested',
    seen: 'a request that the user has not consented to',
    advice: WITHOUT_PROMPT,
  }),
};

const ANOTHER_URI = 'Register another redirect URI for the application, and send that one.';

/** Refusals that only the user sees: the redirect URI cannot be used, or the consent form is no longer valid. */
export const CONSENT_MESSAGES: MessagesFor<
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
    expected: closest === null ? 'a registered URI' : `${closest} (${formatDifferences(differences, 'expected')})`,
    seen: closest === null ? 'a URI, but the application has registered none' : formatDifferences(differences, 'seen'),
    advice:
      registered === 0
        ? "Register it on the application's page."
        : 'It must match exactly, including any trailing slash. Register this URI only if it is your own: codes are ' +
          'sent to registered URIs.',
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
