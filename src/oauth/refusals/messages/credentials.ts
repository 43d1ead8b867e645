import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { credentialName } from '../credential-text.ts';
import type { MessageValues } from '../../../language/message.ts';
import type { RevocationReason } from '../../../domain/events.ts';
import type { CredentialForm } from '../credential-form.ts';
import { wire, type ProtocolMessagesFor, type WireError } from '../messages.ts';
import type { GrantCredential, PastEvent, SeenKey } from '../refusal.ts';
import { formatDifferences } from '../uri-difference.ts';
import { INVALID_BEARER_TOKEN } from './tokens.ts';

/** Sent whatever the cause, so that the response does not help attackers guess a code. */
export const INVALID_CODE = wire(
  'invalid_grant',
  'the authorization code is unknown, has expired, has already been used, or was issued to another client, ' +
    'or redirect_uri or code_verifier does not match',
);
const INVALID_DEVICE_CODE = wire(
  'invalid_grant',
  'the device code is unknown, has already been used, or was issued to another client',
);
const INVALID_REFRESH_TOKEN = wire(
  'invalid_grant',
  'the refresh token is unknown, has expired, was revoked or already used, or was issued to another client',
);

const INVALID_CREDENTIAL: Readonly<Record<GrantCredential | 'access token', WireError>> = {
  code: INVALID_CODE,
  device_code: INVALID_DEVICE_CODE,
  refresh_token: INVALID_REFRESH_TOKEN,
  'access token': INVALID_BEARER_TOKEN,
};

const EXPECTED_FORMS = {
  code: 'authorization code',
  device_code: 'device code',
  refresh_token: 'refresh token',
} as const satisfies Readonly<Record<GrantCredential, CredentialForm>>;

const SEEN_KEYS: Readonly<Record<SeenKey, Text>> = {
  none: message('refusal.credentials.seen-keys.none'),
  'another key': message('refusal.credentials.seen-keys.another-key'),
  'a certificate': message('refusal.credentials.seen-keys.a-certificate'),
};

export const REVOCATION_CAUSES: Readonly<Record<RevocationReason, Text>> = {
  'device-code-replayed': message('refusal.credentials.revocation-causes.device-code-replayed'),
  'code-replayed': message('refusal.credentials.revocation-causes.code-replayed'),
  'refresh-token-reused': message('refusal.credentials.revocation-causes.refresh-token-reused'),
  'revoked-by-client': message('refusal.credentials.revocation-causes.revoked-by-client'),
  'revoked-by-resource-owner': message('refusal.credentials.revocation-causes.revoked-by-resource-owner'),
  'revoked-by-operator': message('refusal.credentials.revocation-causes.revoked-by-operator'),
  updated: message('refusal.credentials.revocation-causes.updated'),
};

/** Returns the message values for the time and position of an event; null means that the event is unknown. */
export function eventValues(event: PastEvent | null): MessageValues {
  return {
    agoIs: event === null ? 'unknown' : 'known',
    ago: event === null ? '' : durationMessage(event.secondsAgo),
    position: event === null ? '' : String(event.position),
  };
}

function describeCredential(form: CredentialForm, expected: CredentialForm): Text {
  if (form === expected) return message('refusal.credentials.describe-credential');
  if (form === 'other') return message('refusal.credentials.describe-credential-2');
  return form === 'incomplete'
    ? message('refusal.credentials.describe-credential-3')
    : message('refusal.credentials.describe-credential-4', { form: credentialName(form) });
}

const RETRY_ERRORS = {
  scope: 'invalid_scope',
  resource: 'invalid_target',
  authorization_details: 'invalid_authorization_details',
} as const;

/** Messages about codes, tokens and passwords. */
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
    wire: INVALID_CREDENTIAL[parameter],
    rule: message('refusal.credential-unknown.rule', { parameter }),
    expected: message('refusal.credential-unknown.expected', { parameter }),
    seen: describeCredential(form, EXPECTED_FORMS[parameter]),
    advice:
      parameter === 'code'
        ? message('refusal.credential-unknown.advice')
        : message('refusal.credential-unknown.advice-2'),
  }),
  'credential-of-another-client': ({ parameter }) => ({
    wire: INVALID_CREDENTIAL[parameter],
    rule: message('refusal.credential-of-another-client.rule', { parameter }),
    expected: message('refusal.credential-of-another-client.expected', { parameter }),
    seen: message('refusal.credential-of-another-client.seen'),
    advice: message('refusal.credential-of-another-client.advice'),
  }),
  'credential-dead': ({ parameter }) => ({
    wire: INVALID_CREDENTIAL[parameter],
    rule: message('refusal.credential-dead.rule', { parameter }),
    expected: message('refusal.credential-dead.expected'),
    seen: message('refusal.credential-dead.seen'),
    advice: message('refusal.credential-dead.advice'),
  }),
  'code-expired': ({ secondsAgo, lifetimeSeconds }) => ({
    wire: INVALID_CODE,
    rule: message('refusal.code-expired.rule'),
    expected: message('refusal.code-expired.expected', { duration: durationMessage(lifetimeSeconds) }),
    seen: message('refusal.code-expired.seen', { duration: durationMessage(secondsAgo) }),
    advice: message('refusal.code-expired.advice'),
  }),
  'code-redeemed': ({ parameter, redeemed, endsGrant }) => ({
    wire: INVALID_CREDENTIAL[parameter],
    rule: parameter === 'code' ? message('refusal.code-redeemed.rule') : message('refusal.code-redeemed.rule-2'),
    expected: message('refusal.code-redeemed.expected'),
    seen: message('refusal.code-redeemed.seen', { ...eventValues(redeemed) }),
    advice: message('refusal.code-redeemed.advice', {
      endsGrant: endsGrant ? 'yes' : 'no',
      parameter,
    }),
  }),
  'grant-revoked': ({ parameter, reason, revoked }) => ({
    wire: INVALID_CREDENTIAL[parameter],
    rule: message('refusal.grant-revoked.rule'),
    expected: message('refusal.grant-revoked.expected'),
    seen: message('refusal.grant-revoked.seen', {
      parameter,
      hasReason: reason === null ? 'no' : 'yes',
      revocationCause: reason === null ? '' : REVOCATION_CAUSES[reason],
      ...eventValues(revoked),
    }),
    advice: message('refusal.grant-revoked.advice'),
  }),
  'session-ended': ({ parameter }) => ({
    wire: INVALID_CREDENTIAL[parameter],
    rule: message('refusal.session-ended.rule'),
    expected: message('refusal.session-ended.expected', { parameter }),
    seen: message('refusal.session-ended.seen'),
    advice: message('refusal.session-ended.advice'),
  }),
  'user-inactive': ({ parameter }) => ({
    wire: INVALID_CREDENTIAL[parameter],
    rule: message('refusal.user-inactive.rule'),
    expected: message('refusal.user-inactive.expected'),
    seen: message('refusal.user-inactive.seen', { parameter }),
    advice: message('refusal.user-inactive.advice'),
  }),
  'redirect-uri-left-out': () => ({
    wire: INVALID_CODE,
    rule: message('refusal.redirect-uri-left-out.rule'),
    expected: message('refusal.redirect-uri-left-out.expected'),
    seen: message('refusal.redirect-uri-left-out.seen'),
    advice: message('refusal.redirect-uri-left-out.advice'),
  }),
  'redirect-uri-differs': ({ expected, differences }) => ({
    wire: INVALID_CODE,
    rule: message('refusal.redirect-uri-differs.rule'),
    expected: message('refusal.redirect-uri-differs.expected', {
      expected,
      differences: formatDifferences(differences, 'expected'),
    }),
    seen: formatDifferences(differences, 'seen'),
    advice: message('refusal.redirect-uri-differs.advice'),
  }),
  'code-verifier-missing': () => ({
    wire: INVALID_CODE,
    rule: message('refusal.code-verifier-missing.rule'),
    expected: 'code_verifier',
    seen: message('refusal.code-verifier-missing.seen'),
    advice: message('refusal.code-verifier-missing.advice'),
  }),
  'code-verifier-unexpected': () => ({
    wire: INVALID_CODE,
    rule: message('refusal.code-verifier-unexpected.rule'),
    expected: message('refusal.code-verifier-unexpected.expected'),
    seen: message('refusal.code-verifier-unexpected.seen'),
    advice: message('refusal.code-verifier-unexpected.advice'),
  }),
  'code-verifier-mismatch': ({ method, isChallenge }) => ({
    wire: INVALID_CODE,
    rule: message('refusal.code-verifier-mismatch.rule', { method }),
    expected:
      method === 'S256'
        ? message('refusal.code-verifier-mismatch.expected')
        : message('refusal.code-verifier-mismatch.expected-2'),
    seen: isChallenge
      ? message('refusal.code-verifier-mismatch.seen')
      : message('refusal.code-verifier-mismatch.seen-2'),
    advice: isChallenge
      ? message('refusal.code-verifier-mismatch.advice')
      : message('refusal.code-verifier-mismatch.advice-2'),
  }),
  'password-wrong': () => ({
    wire: wire('invalid_grant', 'wrong user name or password'),
    rule: message('refusal.password-wrong.rule'),
    expected: message('refusal.password-wrong.expected'),
    seen: message('refusal.password-wrong.seen'),
    advice: message('refusal.password-wrong.advice'),
  }),
  'passwords-off': () => ({
    wire: wire('invalid_grant', 'passwords are off; use the authorization code grant instead'),
    rule: message('refusal.passwords-off.rule'),
    expected: message('refusal.passwords-off.expected'),
    seen: message('refusal.passwords-off.seen'),
    advice: message('refusal.passwords-off.advice'),
  }),
  'second-factor-needed': ({ by }) => ({
    wire: wire('invalid_grant', 'this login requires a second factor, which the password grant does not support'),
    rule: message('refusal.second-factor-needed.rule'),
    expected: message('refusal.second-factor-needed.expected'),
    seen:
      by === 'client' ? message('refusal.second-factor-needed.seen') : message('refusal.second-factor-needed.seen-2'),
    advice: message('refusal.second-factor-needed.advice'),
  }),
  'refresh-token-expired': ({ secondsAgo }) => ({
    wire: INVALID_REFRESH_TOKEN,
    rule: message('refusal.refresh-token-expired.rule'),
    expected: message('refusal.refresh-token-expired.expected'),
    seen: message('refusal.refresh-token-expired.seen', { duration: durationMessage(secondsAgo) }),
    advice: message('refusal.refresh-token-expired.advice'),
  }),
  'refresh-token-reused': ({ rotated, windowSeconds }) => ({
    wire: INVALID_REFRESH_TOKEN,
    rule: message('refusal.refresh-token-reused.rule', { duration: durationMessage(windowSeconds) }),
    expected: message('refusal.refresh-token-reused.expected'),
    seen: message('refusal.refresh-token-reused.seen', { ...eventValues(rotated) }),
    advice: message('refusal.refresh-token-reused.advice'),
  }),
  'retry-differs': ({ parameter, before }) => ({
    wire: wire(RETRY_ERRORS[parameter], `this refresh token was just used with a different value of ${parameter}`),
    rule: message('refusal.retry-differs.rule'),
    expected: message('refusal.retry-differs.expected', { parameter, before: formatList(before) }),
    seen: message('refusal.retry-differs.seen', { parameter }),
    advice: message('refusal.retry-differs.advice'),
  }),
  'retry-key-differs': ({ seen }) => ({
    wire: INVALID_REFRESH_TOKEN,
    rule: message('refusal.retry-key-differs.rule'),
    expected: message('refusal.retry-key-differs.expected'),
    seen: SEEN_KEYS[seen],
    advice: message('refusal.retry-key-differs.advice'),
  }),
  'credential-bound-to-key': ({ parameter, seen }) => ({
    wire: INVALID_CREDENTIAL[parameter],
    rule:
      parameter === 'code'
        ? message('refusal.credential-bound-to-key.rule')
        : message('refusal.credential-bound-to-key.rule-2'),
    expected: message('refusal.credential-bound-to-key.expected', { parameter }),
    seen: SEEN_KEYS[seen],
    advice: message('refusal.credential-bound-to-key.advice'),
  }),
  'answer-not-repeatable': () => ({
    wire: INVALID_REFRESH_TOKEN,
    rule: message('refusal.answer-not-repeatable.rule'),
    expected: message('refusal.answer-not-repeatable.expected'),
    seen: message('refusal.answer-not-repeatable.seen'),
    advice: message('refusal.answer-not-repeatable.advice'),
  }),
};
