import type { UpstreamRefusal } from '../../../src/oauth/refusals/upstream-refusal.ts';
import type { DescribedRefusals } from './sample.ts';

/** The facts in refusals of logins through upstream providers. */
export const UPSTREAM_SAMPLES: DescribedRefusals<UpstreamRefusal['rule']> = {
  'upstream-unavailable': {
    provider: 'value',
    what: { metadata: true, keys: true, tokens: true, userinfo: true },
    problem: 'text',
  },
  'upstream-login-unknown': { why: { 'not-of-browser': true, expired: true, 'other-state': true } },
  'upstream-provider-changed': { provider: 'value', isRemoved: 'yes or no' },
  'upstream-issuer-differs': { provider: 'value', expected: 'value', seen: 'value or null' },
  'upstream-denied': { provider: 'value', error: 'value' },
  'upstream-code-refused': { provider: 'value', error: 'text' },
  'upstream-token-invalid': {
    provider: 'value',
    check: {
      form: true,
      algorithm: true,
      signature: true,
      issuer: true,
      tenant: true,
      audience: true,
      'authorized-party': true,
      nonce: true,
      expiry: true,
      'issue-time': true,
      subject: true,
      'userinfo-subject': true,
    },
    expected: 'text',
    seen: 'text',
  },
  'upstream-login-too-old': { provider: 'value', secondsAgo: 'number' },
  'upstream-user-unknown': {
    provider: 'value',
    why: {
      'not-linked': true,
      'address-unverified': true,
      'domain-not-allowed': true,
      'address-taken': true,
      'name-unusable': true,
    },
  },
  'upstream-user-inactive': { provider: 'value' },
  'upstream-linked-elsewhere': { provider: 'value' },
};
