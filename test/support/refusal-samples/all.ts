import { message } from '../../../src/language/message.ts';
import { REFUSAL_RULES } from '../../../src/oauth/refusals/refusal-messages.ts';
import type { RefusalRule } from '../../../src/oauth/refusals/refusal.ts';
import { LIMITS } from '../../../src/platform/limits/limits.ts';
import { CLIENT_SAMPLES } from './clients.ts';
import { CREDENTIAL_SAMPLES } from './credentials.ts';
import { UPSTREAM_SAMPLES } from './upstream.ts';
import { buildSamples, type DescribedRefusals, type SampleRefusal } from './sample.ts';

type OtherRules = Exclude<
  RefusalRule,
  keyof typeof CLIENT_SAMPLES | keyof typeof CREDENTIAL_SAMPLES | keyof typeof UPSTREAM_SAMPLES
>;

const DIFFERENCES = [[], [{ component: 'host', expected: '⟦a.example⟧', seen: '⟦b.example⟧' } as const]];
const LIMIT_NAMES = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, true])) as Readonly<
  Record<keyof typeof LIMITS, true>
>;

/** The facts in refusals of requests, authorizations, scopes and authorization details. */
const OTHER_SAMPLES: DescribedRefusals<OtherRules> = {
  'method-not-allowed': { allowed: 'value', seen: 'value or null' },
  'parameters-in-address': {},
  'content-type': { accepted: 'text' },
  'content-encoding': {},
  charset: {},
  'body-too-large': { limitBytes: 'number' },
  'body-in-pieces': { most: 'number' },
  'body-malformed': { problem: 'text' },
  'too-many-parameters': { most: 'number' },
  'parameter-repeated': { parameter: 'value or null' },
  'parameter-not-a-string': { parameter: 'value or null' },
  'parameter-missing': { parameter: 'value' },
  'parameter-value': {
    parameter: 'value',
    allowed: [[], ['⟦a⟧', '⟦b⟧'], [message('refusal-form.prompt-none')]],
    seen: 'value or null',
    length: 'number',
  },
  'parameter-malformed': { parameter: 'value', form: 'text', length: 'number' },
  'form-not-of-session': {},
  'rate-limit': { limit: LIMIT_NAMES, retryAfterSeconds: 'number' },
  overloaded: { retryAfterSeconds: 'number' },

  'redirect-uri-missing': { registered: 'number' },
  'redirect-uri-not-registered': { closest: 'value or null', differences: DIFFERENCES, registered: 'number' },
  'redirect-uri-not-allowed': {
    uri: 'value',
    problem: 'text',
    setting: { plainHttpRedirectUris: true, redirectUriSchemes: true, null: true },
  },
  'profile-requires': {
    what: { pkce: true, 'https-redirect': true, 'redirect-uri': true, signature: true },
    seen: 'value or null',
  },
  'code-challenge-missing': { clientType: { public: true, confidential: true }, isMethodSent: 'yes or no' },
  'log-in-required': {
    why: {
      nobody: true,
      'too-old': true,
      'another-user': true,
      'login-class': true,
      'second-factor': true,
      'not-recorded': true,
    },
    maxAgeSeconds: 'number or null',
  },
  'consent-required': { missing: 'values' },
  'interaction-required': { clientType: { public: true, confidential: true } },
  'login-class-unmet': { expected: 'values', seen: 'value or null' },
  'hinted-user-not-logged-in': {},
  'post-logout-uri-without-client': {},
  'post-logout-uri-not-registered': { closest: 'value or null', differences: DIFFERENCES, registered: 'number' },
  'hint-refused': { problem: { 'not-of-this-server': true, 'of-another-client': true } },
  'parameter-not-supported': { parameter: { request: true, request_uri: true, registration: true } },
  'client-in-test-mode': {
    what: {
      authorization: true,
      password: true,
      code: true,
      device_code: true,
      refresh_token: true,
      subject_token: true,
      assertion: true,
    },
  },
  denied: { how: { refused: true, 'every-scope-left-out': true } },
  'request-aged': {},
  'request-answered': {},

  'scope-missing': { grant: 'value' },
  'scope-malformed': {},
  'scope-unknown': { unknown: 'values', known: 'values' },
  'scope-restricted': { restricted: 'values' },
  'scope-needs-role': { scope: 'value' },
  'scope-needs-client': { scope: 'value' },
  'scope-needs-login': { scope: 'value', grant: 'value' },
  'scope-not-granted': { missing: 'values', granted: 'values' },
  'scope-not-of-resource': { seen: 'values', defined: 'values' },
  'scope-of-several-resources': { scope: 'values' },
  'resources-disagree': { seen: 'values' },
  'token-algorithm-forbidden': {
    seen: { ES256: true, RS256: true, PS256: true, EdDSA: true },
    allowed: [[], ['ES256', 'PS256']],
    resources: 'values',
  },
  'too-many-resources': { most: 'number', seen: 'number' },
  'resource-malformed': { seen: 'value' },
  'resource-unknown': { seen: 'value', known: 'values' },
  'resource-not-granted': { missing: 'values', granted: 'values' },

  'details-malformed': { form: 'text', length: 'number' },
  'details-type-unknown': { seen: 'value', known: 'values' },
  'details-type-not-allowed': { seen: 'value', allowed: 'values' },
  'details-schema': { type: 'value', member: 'value', keyword: 'value' },
  'details-need-consent': { grant: 'value' },
  'details-not-granted': { type: 'value', granted: 'values' },
  'details-of-other-resource': { type: 'value', resource: 'values' },
  'details-none-left': {},
};

const DESCRIPTIONS: DescribedRefusals<RefusalRule> = {
  ...OTHER_SAMPLES,
  ...CLIENT_SAMPLES,
  ...CREDENTIAL_SAMPLES,
  ...UPSTREAM_SAMPLES,
};

/** Sample refusals for every rule that has messages, with every combination of facts. */
export const SAMPLE_REFUSALS: readonly (readonly [RefusalRule, readonly SampleRefusal[]])[] = REFUSAL_RULES.map(
  (rule) => [rule, buildSamples(rule, DESCRIPTIONS[rule])] as const,
);
