import type { ExchangeRefusal } from '../../../src/oauth/refusals/exchange-refusal.ts';
import type { IssuerRefusal } from '../../../src/oauth/refusals/issuer-refusal.ts';
import type { ManagementRefusal } from '../../../src/oauth/refusals/management-refusal.ts';
import type { PastEvent, DeviceRefusal } from '../../../src/oauth/refusals/refusal.ts';
import type { PolicyRefusal } from '../../../src/oauth/refusals/policy-refusal.ts';
import type { DescribedRefusals } from './sample.ts';

const FORM = {
  'access token': true,
  'refresh token': true,
  'authorization code': true,
  'device code': true,
  'client secret': true,
  JWT: true,
  incomplete: true,
  'client id': true,
  other: true,
} as const;
const DECLARED_TYPE = { 'access token': true, 'ID token': true, 'JWT of another issuer': true } as const;
const CREDENTIAL = { code: true, device_code: true, refresh_token: true } as const;
const ANY_CREDENTIAL = { ...CREDENTIAL, 'access token': true } as const;
const SEEN_KEY = { none: true, 'another key': true, 'a certificate': true } as const;
const PAST_EVENT: readonly (PastEvent | null)[] = [{ position: 7, secondsAgo: 200_000 }, null];
const REASON = {
  'code-replayed': true,
  'device-code-replayed': true,
  'refresh-token-reused': true,
  'revoked-by-client': true,
  'revoked-by-resource-owner': true,
  'revoked-by-operator': true,
  updated: true,
  null: true,
} as const;
const EXCHANGE_PARAMETER = { subject_token: true, actor_token: true } as const;
const ISSUER_PARAMETER = { assertion: true, ...EXCHANGE_PARAMETER } as const;
const EXCHANGE_LIMIT = { subject: true, actor: true, policy: true, exchange: true } as const;
const ISSUER_LIMIT = { issuer: true, assertion: true } as const;

/** The facts in refusals of codes, tokens, passwords, exchanges and foreign JWTs, and in refusals by policies. */
export const CREDENTIAL_SAMPLES: DescribedRefusals<
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
  | 'credential-bound-to-key'
  | 'retry-key-differs'
  | 'password-wrong'
  | 'passwords-off'
  | 'second-factor-needed'
  | 'refresh-token-expired'
  | 'refresh-token-reused'
  | 'retry-differs'
  | 'answer-not-repeatable'
  | DeviceRefusal['rule']
  | ExchangeRefusal['rule']
  | IssuerRefusal['rule']
  | ManagementRefusal['rule']
  | PolicyRefusal['rule']
> = {
  'credential-unknown': { parameter: CREDENTIAL, form: FORM },
  'credential-of-another-client': { parameter: CREDENTIAL },
  'credential-dead': { parameter: CREDENTIAL },
  'code-expired': { secondsAgo: 'number', lifetimeSeconds: 'number' },
  'code-redeemed': { parameter: { code: true, device_code: true }, redeemed: PAST_EVENT, endsGrant: 'yes or no' },
  'grant-revoked': { parameter: ANY_CREDENTIAL, reason: REASON, revoked: PAST_EVENT },
  'session-ended': { parameter: ANY_CREDENTIAL },
  'user-inactive': { parameter: ANY_CREDENTIAL },
  'redirect-uri-left-out': {},
  'redirect-uri-differs': {
    expected: 'value',
    differences: [[], [{ component: 'path', expected: '⟦/a⟧', seen: '' }]],
  },
  'code-verifier-missing': {},
  'code-verifier-unexpected': {},
  'code-verifier-mismatch': { method: { S256: true, plain: true }, isChallenge: 'yes or no' },
  'credential-bound-to-key': { parameter: CREDENTIAL, seen: SEEN_KEY },
  'retry-key-differs': { seen: SEEN_KEY },
  'password-wrong': {},
  'passwords-off': {},
  'second-factor-needed': { by: { client: true, user: true } },
  'refresh-token-expired': { secondsAgo: 'number' },
  'refresh-token-reused': { rotated: PAST_EVENT, windowSeconds: 'number' },
  'retry-differs': { parameter: { scope: true, resource: true, authorization_details: true }, before: 'values' },
  'answer-not-repeatable': {},

  'device-pending': {},
  'device-polls-too-fast': { intervalSeconds: 'number', seenSeconds: 'number' },
  'device-code-expired': { secondsAgo: 'number', lifetimeSeconds: 'number' },
  'device-denied': {},
  'devices-full': { who: { all: true, client: true, address: true }, most: 'number' },

  'exchange-policy-missing': {},
  'exchange-mode-not-allowed': {
    mode: { impersonation: true, delegation: true },
    allowed: [[], ['impersonation'], ['delegation']],
  },
  'exchange-actor-of-another-client': {},
  'exchange-actor-exchanged': {},
  'exchange-actor-is-subject': {},
  'exchange-actor-repeated': {},
  'exchange-client-repeated': {},
  'exchange-chain-too-deep': {},
  'exchange-not-bound': {},
  'exchange-scope-beyond': { limit: EXCHANGE_LIMIT, missing: 'values', allowed: 'values' },
  'exchange-resource-beyond': { limit: EXCHANGE_LIMIT, missing: 'values', allowed: 'values' },
  'exchange-no-scope-left': {},
  'exchange-no-resource-left': {},
  'exchange-token-type': {
    parameter: EXCHANGE_PARAMETER,
    declared: DECLARED_TYPE,
    seen: { ...FORM, ...DECLARED_TYPE },
  },
  'exchange-id-token': {
    parameter: EXCHANGE_PARAMETER,
    problem: { 'not-verified': true, 'no-id': true, expired: true, 'not-newest': true, ended: true },
  },
  'exchange-may-act': {},
  'exchange-chain-ended': { reason: REASON, revoked: PAST_EVENT },
  'exchange-details-beyond': { limit: { subject: true, actor: true }, type: 'value', allowed: 'values' },
  'exchange-no-details-left': {},
  'exchange-type-alone': {},
  'exchange-second-factor': {},
  'exchange-too-many': { limit: 'number' },
  'exchange-token-ended': { parameter: EXCHANGE_PARAMETER },
  'exchange-resource-removed': { parameter: EXCHANGE_PARAMETER },
  'exchange-format': { seen: { opaque: true } },

  'issuer-scope-beyond': { limit: ISSUER_LIMIT, missing: 'values', allowed: 'values' },
  'issuer-resource-beyond': { limit: ISSUER_LIMIT, missing: 'values', allowed: 'values' },
  'issuer-no-scope-left': {},
  'issuer-no-resource-left': {},
  'issuer-token-malformed': { parameter: ISSUER_PARAMETER },
  'issuer-token-type': { parameter: ISSUER_PARAMETER, expected: 'values', seen: 'text' },
  'issuer-untrusted': { parameter: ISSUER_PARAMETER, seen: 'value' },
  'issuer-use': {
    parameter: ISSUER_PARAMETER,
    use: { assertion: true, 'identity-assertion': true, 'subject-token': true, 'actor-token': true },
    allowed: [[], ['assertion', 'actor-token']],
  },
  'issuer-client': { parameter: ISSUER_PARAMETER },
  'issuer-algorithm': { parameter: ISSUER_PARAMETER, seen: 'text', allowed: 'values' },
  'issuer-key-unknown': { parameter: ISSUER_PARAMETER, seen: 'value or null', algorithm: 'value', known: 'values' },
  'issuer-keys-unreadable': { parameter: ISSUER_PARAMETER, problem: 'text' },
  'issuer-signature-wrong': { parameter: ISSUER_PARAMETER, tried: 'number' },
  'issuer-audience': { parameter: ISSUER_PARAMETER, expected: 'values', seen: 'text' },
  'issuer-time': {
    parameter: ISSUER_PARAMETER,
    problem: { 'no-expiry': true, expired: true, 'too-long': true, 'too-old': true, 'not-yet': true },
    seconds: 'number',
    mostSeconds: 'number',
  },
  'issuer-claim': { parameter: ISSUER_PARAMETER, name: 'value', expected: 'value', seen: 'text' },
  'issuer-subject': {
    parameter: ISSUER_PARAMETER,
    mapping: { 'user-name': true, 'verified-email': true, table: true, client: true },
  },
  'issuer-act': { parameter: ISSUER_PARAMETER, isSelf: 'yes or no' },
  'issuer-token-replayed': {},
  'issuer-second-factor': {},

  'grant-management-not-allowed': { because: { public: true, scope: true } },
  'grant-management-for-device': {},
  'grant-id-misplaced': { beside: { 'no action': true, create: true } },
  'grant-id-unknown': { problem: { malformed: true, 'not-current': true, 'another-user': true } },
  'merge-of-all-resources': { restricted: { request: true, grant: true } },
  'merge-too-large': { limit: 'text' },
  'updated-grant-ended': {},

  'credentials-missing': {
    accepts: [[], ['token'], ['session'], ['token', 'session']],
    seen: { nothing: true, 'another scheme': true, 'a web session': true },
  },
  'csrf-token-missing': {},
  'csrf-token-wrong': {},
  'token-sent-twice': {},
  'token-unknown': { form: FORM },
  'token-expired': { secondsAgo: 'number' },
  'token-key-retired': { kid: 'value' },
  'token-superseded': { secondsAgo: 'number', position: 'number' },
  'token-client-removed': {},
  'token-client-disabled': {},
  'token-for-other-resource': { resource: 'values', here: 'value or null' },
  'token-lacks-scope': { alternatives: [[], [['⟦a⟧']], [['⟦a⟧', '⟦b⟧'], ['⟦c⟧'], []]], held: 'values' },
  'sender-not-proven': {
    problem: {
      'sent-as-bearer': true,
      'proof-missing': true,
      'another-key': true,
      'certificate-missing': true,
      'certificate-refused': true,
      'another-certificate': true,
    },
  },
  'token-unbound': { needed: { scheme: true, policy: true } },
  'login-insufficient': {
    problem: { 'no-user': true, 'not-recorded': true, 'too-old': true, 'too-weak': true },
    maxAgeSeconds: 'number or null',
    acr: 'values',
    ageSeconds: 'number or null',
    seenAcr: 'value or null',
  },
  'policy-forbids': { method: 'value' },
};
