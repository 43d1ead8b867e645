import { Counter, type Registry } from 'prom-client';

/** The outcomes of logins through other providers. Failures have the names of the refusal rules. */
const UPSTREAM_RESULTS = [
  'logged-in',
  'linked',
  'upstream-unavailable',
  'upstream-login-unknown',
  'upstream-provider-changed',
  'upstream-issuer-differs',
  'upstream-denied',
  'upstream-code-refused',
  'upstream-token-invalid',
  'upstream-login-too-old',
  'upstream-user-unknown',
  'upstream-user-inactive',
  'upstream-linked-elsewhere',
] as const;
export type UpstreamResult = (typeof UPSTREAM_RESULTS)[number];

/** Counts logins through other providers. */
export interface UpstreamMeter {
  observe(result: UpstreamResult): void;
}

export function createUpstreamMeter(registry: Registry): UpstreamMeter {
  const logins = new Counter({
    name: 'grantlog_upstream_logins_total',
    help: 'Logins through other providers that succeeded, accounts that were linked, and what was refused, by rule.',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of UPSTREAM_RESULTS) logins.inc({ result }, 0);
  return { observe: (result) => logins.inc({ result }) };
}
