import type { RevocationReason } from '../../../domain/events.ts';
import type { CredentialForm } from '../credential-form.ts';
import { formatDuration, formatList, wire, type ProtocolMessagesFor, type WireError } from '../messages.ts';
import type { GrantCredential, PastEvent, SeenKey } from '../refusal.ts';
import { formatDifferences } from '../uri-difference.ts';
import { INVALID_BEARER_TOKEN } from './tokens.ts';

/** Identical for every cause, so the response does not help anyone guess. */
export const INVALID_CODE = wire(
  'invalid_grant',
  'the authorization code is unknown, expired, already used, issued to another client, ' +
    'or redirect_uri or code_verifier does not match',
);
const INVALID_DEVICE_CODE = wire(
  'invalid_grant',
  'the device code is unknown, already used, or was issued to another client',
);
const INVALID_REFRESH_TOKEN = wire(
  'invalid_grant',
  'the refresh token is unknown, expired, revoked, already used, or was issued to another client',
);

const INVALID: Readonly<Record<GrantCredential | 'access token', WireError>> = {
  code: INVALID_CODE,
  device_code: INVALID_DEVICE_CODE,
  refresh_token: INVALID_REFRESH_TOKEN,
  'access token': INVALID_BEARER_TOKEN,
};

const CREDENTIAL_NAMES = {
  code: 'code',
  device_code: 'device code',
  refresh_token: 'refresh token',
  'access token': 'access token',
} as const;

const FORM_NAMES = {
  code: 'authorization code',
  device_code: 'device code',
  refresh_token: 'refresh token',
} as const satisfies Readonly<Record<GrantCredential, CredentialForm>>;

const SEEN_KEYS: Readonly<Record<SeenKey, string>> = {
  none: 'no proof of possession',
  'another key': 'a proof of another key',
  'a certificate': 'a certificate',
};

export const REVOCATION_CAUSES: Readonly<Record<RevocationReason, string>> = {
  'device-code-replayed': 'because its device code was presented a second time',
  'code-replayed': 'because its code was presented a second time',
  'refresh-token-reused': 'because a refresh token was used a second time',
  'revoked-by-client': 'by the application itself',
  'revoked-by-resource-owner': 'by the user',
  'revoked-by-operator': 'by the operator',
  updated: 'by an update of the application, to which the user consented',
};

/** When the event was, if it is known. */
export function timeAgo(event: PastEvent | null): string {
  return event === null ? '' : ` ${formatDuration(event.secondsAgo)} ago (position ${event.position} of the log)`;
}

function describeCredential(form: CredentialForm, expected: CredentialForm): string {
  if (form === expected) return 'a value in the right format that this server has not issued or no longer knows';
  if (form === 'other') return 'a value that this server did not issue';
  return form === 'incomplete' ? 'a truncated or mistyped credential' : `a different kind of credential: ${form}`;
}

const RETRY_ERRORS = {
  scope: 'invalid_scope',
  resource: 'invalid_target',
  authorization_details: 'invalid_authorization_details',
} as const;

/** Codes, refresh tokens and passwords. */
export const CREDENTIAL_MESSAGES: ProtocolMessagesFor<
  | 'credential-unknown'
  | 'credential-of-another-client'
  | 'credential-dead'
  | 'code-expired'
  | 'code-redeemed'
  | 'grant-revoked'
  | 'session-ended'
  | 'user-inactive'
  | 'redirect-uri-left-out'
  | 'redirect-uri-differs'
  | 'code-verifier-missing'
  | 'code-verifier-unexpected'
  | 'code-verifier-mismatch'
  | 'password-wrong'
  | 'passwords-off'
  | 'second-factor-needed'
  | 'refresh-token-expired'
  | 'refresh-token-reused'
  | 'retry-differs'
  | 'retry-key-differs'
  | 'credential-bound-to-key'
  | 'answer-not-repeatable'
> = {
  'credential-unknown': ({ parameter, form }) => ({
    wire: INVALID[parameter],
    rule: `Unknown ${CREDENTIAL_NAMES[parameter]}.`,
    expected: `a ${CREDENTIAL_NAMES[parameter]} that this server issued`,
    seen: describeCredential(form, FORM_NAMES[parameter]),
    advice:
      parameter === 'code'
        ? 'Send it complete and unchanged, decoded once from the redirect, and to the server that issued it.'
        : 'Send it complete and unchanged, and to the server that issued it.',
  }),
  'credential-of-another-client': ({ parameter }) => ({
    wire: INVALID[parameter],
    rule: `A ${CREDENTIAL_NAMES[parameter]} can be used only by the client to which it was issued.`,
    expected: `a ${CREDENTIAL_NAMES[parameter]} issued to this client`,
    seen: 'one that was issued to another client',
    advice: 'Use the client_id of the authorization request. If the value did not come from there, it may be injected.',
  }),
  'credential-dead': ({ parameter }) => ({
    wire: INVALID[parameter],
    rule: `The ${CREDENTIAL_NAMES[parameter]} must be valid.`,
    expected: 'an active grant',
    seen: 'an unknown or inactive grant; the cause was not looked up, because too many requests were refused at once',
    advice: 'Start a new authorization.',
  }),
  'code-expired': ({ secondsAgo, lifetimeSeconds }) => ({
    wire: INVALID_CODE,
    rule: 'Authorization codes expire quickly (RFC 6749 §4.1.2).',
    expected: `redemption within ${formatDuration(lifetimeSeconds)}`,
    seen: `${formatDuration(secondsAgo)} too late`,
    advice:
      'Redeem the code as soon as the redirect arrives. If you did, compare the clocks, and look for a queue or a ' +
      'debugger in between.',
  }),
  'code-redeemed': ({ parameter, redeemed, endsGrant }) => ({
    wire: INVALID[parameter],
    rule:
      parameter === 'code'
        ? 'Authorization codes can be used only once (RFC 6749 §4.1.2).'
        : 'Device codes can be used only once.',
    expected: 'an unused code',
    seen: `already redeemed${timeAgo(redeemed)}`,
    advice:
      `${endsGrant ? 'Its tokens have now been revoked. ' : ''}Look for a ` +
      `${parameter === 'code' ? 'page that is loaded twice or a request' : 'request'} that is retried, and keep the ` +
      'first response.',
  }),
  'grant-revoked': ({ parameter, reason, revoked }) => ({
    wire: INVALID[parameter],
    rule: 'The grant was revoked.',
    expected: 'an active grant',
    seen:
      `the grant of this ${CREDENTIAL_NAMES[parameter]} was revoked` +
      `${reason === null ? '' : ` ${REVOCATION_CAUSES[reason]}`}${timeAgo(revoked)}`,
    advice: 'Start a new authorization.',
  }),
  'session-ended': ({ parameter }) => ({
    wire: INVALID[parameter],
    rule: 'A grant with openid and without offline_access ends with the session in which it was authorized.',
    expected: `a ${CREDENTIAL_NAMES[parameter]} whose session is open`,
    seen: 'the session in which it was authorized has ended',
    advice:
      'The user logged out or ended the session. Start a new authorization. To keep access after a logout, request ' +
      'the scope offline_access.',
  }),
  'user-inactive': ({ parameter }) => ({
    wire: INVALID[parameter],
    rule: 'Grants end when their account is disabled or erased.',
    expected: 'an active account',
    seen: `the user of this ${CREDENTIAL_NAMES[parameter]} was disabled or erased`,
    advice: 'The account is gone. Start a new authorization with another user.',
  }),
  'redirect-uri-left-out': () => ({
    wire: INVALID_CODE,
    rule: 'redirect_uri is required if the authorization request contained it (RFC 6749 §4.1.3).',
    expected: 'the redirect_uri of the authorization request',
    seen: 'none',
    advice: 'Send the same redirect_uri with the code.',
  }),
  'redirect-uri-differs': ({ expected, differences }) => ({
    wire: INVALID_CODE,
    rule: 'redirect_uri must be identical to the one of the authorization request (RFC 6749 §4.1.3).',
    expected: `${expected} (${formatDifferences(differences, 'expected')})`,
    seen: formatDifferences(differences, 'seen'),
    advice: 'Use one constant for both requests.',
  }),
  'code-verifier-missing': () => ({
    wire: INVALID_CODE,
    rule: 'A code requested with PKCE requires the verifier (RFC 7636 §4.5).',
    expected: 'code_verifier',
    seen: 'none',
    advice: 'Keep the verifier from the authorization request and send it with the code.',
  }),
  'code-verifier-unexpected': () => ({
    wire: INVALID_CODE,
    rule: 'A verifier without a challenge is refused (RFC 9700 §2.1.1).',
    expected: 'no code_verifier',
    seen: 'a code_verifier, although the authorization request had no code_challenge',
    advice: 'Send code_challenge in the authorization request. If the client did, an attacker may have removed it.',
  }),
  'code-verifier-mismatch': ({ method, isChallenge }) => ({
    wire: INVALID_CODE,
    rule: `code_verifier must match the code_challenge (${method}).`,
    expected:
      method === 'S256' ? 'base64url(SHA-256(code_verifier)) = code_challenge' : 'code_verifier = code_challenge',
    seen: isChallenge ? 'the challenge itself' : 'a different verifier',
    advice: isChallenge
      ? 'Send the verifier from which the challenge was computed.'
      : 'Store one verifier per authorization request, together with its state: two tabs overwrite a shared one. ' +
        'The challenge is base64url without padding.',
  }),
  'password-wrong': () => ({
    wire: wire('invalid_grant', 'wrong user name or password'),
    rule: 'The user name and password must be right, and the account active.',
    expected: 'the user name and password of an active account',
    seen: 'a wrong user name or password (the server never reveals which)',
    advice: 'Try them on the login page.',
  }),
  'passwords-off': () => ({
    wire: wire('invalid_grant', 'passwords are off; use the authorization code grant'),
    rule: 'While a provider is required, nobody logs in with a password.',
    expected: 'a login through a provider',
    seen: 'a user name and a password',
    advice: 'Use the authorization code grant. Users log in through the provider on the login page.',
  }),
  'second-factor-needed': ({ by }) => ({
    wire: wire('invalid_grant', 'this login needs a second factor, which the password grant cannot present'),
    rule: 'The password alone is not enough for a login that needs a second factor.',
    expected: 'an authorization code, for which the user logs in on the pages',
    seen: by === 'client' ? 'an application that requires a second factor' : 'a user with two-step login',
    advice: 'Use the authorization code grant (RFC 6749 §4.1).',
  }),
  'refresh-token-expired': ({ secondsAgo }) => ({
    wire: INVALID_REFRESH_TOKEN,
    rule: 'The refresh token has expired (refreshTokenLifetimeSeconds).',
    expected: 'an unexpired refresh token',
    seen: `expired ${formatDuration(secondsAgo)} ago`,
    advice: 'Start a new authorization.',
  }),
  'refresh-token-reused': ({ rotated, windowSeconds }) => ({
    wire: INVALID_REFRESH_TOKEN,
    rule:
      'Refresh tokens can be used only once; a retry gets the same response for ' +
      `${formatDuration(windowSeconds)} (RFC 9700 §4.14.2).`,
    expected: 'the newest refresh token',
    seen: `one that was already used${timeAgo(rotated)}`,
    advice:
      'The whole grant has now been revoked. Save the new refresh token before you use the response, and refresh ' +
      'from one process at a time.',
  }),
  'retry-differs': ({ parameter, before }) => ({
    wire: wire(RETRY_ERRORS[parameter], `this refresh token was just used with a different ${parameter}`),
    rule: 'A retried refresh must be identical to the first request.',
    expected: `${parameter}: ${formatList(before)}`,
    seen: `a different ${parameter}`,
    advice: 'Retry with the same parameters, or use the newest refresh token.',
  }),
  'retry-key-differs': ({ seen }) => ({
    wire: INVALID_REFRESH_TOKEN,
    rule: 'A retried refresh must prove possession of the same key as the first request.',
    expected: 'the key or certificate that the access token is bound to',
    seen: SEEN_KEYS[seen],
    advice: 'Retry with the same key, or use the newest refresh token.',
  }),
  'credential-bound-to-key': ({ parameter, seen }) => ({
    wire: INVALID[parameter],
    rule:
      parameter === 'code'
        ? 'A code that was requested for a key is redeemed with that key (RFC 9449 §10).'
        : 'The refresh tokens of a public client can be used only with the key of the first request (RFC 9449 §5).',
    expected: `possession of the key or certificate that this ${CREDENTIAL_NAMES[parameter]} is bound to`,
    seen: SEEN_KEYS[seen],
    advice:
      'Use one key from the authorization request on, and keep it as long as its tokens. If the application did, ' +
      'somebody else may have the token.',
  }),
  'answer-not-repeatable': () => ({
    wire: INVALID_REFRESH_TOKEN,
    rule: 'A lost response can be repeated only under the same settings.',
    expected: 'unchanged settings of the server and the client',
    seen: 'settings that have changed since the first response',
    advice: 'Start a new authorization.',
  }),
};
