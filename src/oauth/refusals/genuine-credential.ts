import type { Refusal, RefusalRule } from './refusal.ts';

const GENUINE_CREDENTIAL_RULES: readonly RefusalRule[] = [
  'code-expired',
  'code-redeemed',
  'device-pending',
  'device-polls-too-fast',
  'device-code-expired',
  'device-denied',
  'redirect-uri-left-out',
  'redirect-uri-differs',
  'code-verifier-missing',
  'code-verifier-unexpected',
  'code-verifier-mismatch',
  'credential-bound-to-key',
  'refresh-token-expired',
  'refresh-token-reused',
  'retry-differs',
  'retry-key-differs',
  'updated-grant-ended',
  'scope-not-granted',
  'resource-not-granted',
  'details-not-granted',
];

/** Reports whether the refusal proves that the request contained a genuine code, device code or refresh token. */
export function impliesGenuineCredential({ rule }: Refusal): boolean {
  return GENUINE_CREDENTIAL_RULES.includes(rule);
}
