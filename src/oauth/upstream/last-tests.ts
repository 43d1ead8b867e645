import { LRUCache } from 'lru-cache';
import type { EpochSeconds } from '../../domain/values.ts';
import type { UpstreamProvider } from '../../projections/upstream-providers.ts';
import { isOutage } from './outages.ts';
import { failedCheck, type ProviderCheck, type TestProvider } from './provider-test.ts';
import type { UpstreamError } from './upstream-error.ts';

/** The result of a connection test with a provider, or the outage that a login encountered. */
export interface LastTest {
  readonly at: EpochSeconds;
  readonly by: 'test' | 'login';
  readonly checks: readonly ProviderCheck[];
}

/** A step of a login. Logins and connection tests have the same steps. */
export type LoginStep = ProviderCheck['step'];

/** Receives the results of the requests that logins send to a provider. */
export interface LoginObserver {
  /**
   * Records an outage as a failed test. A refused code counts as a success because the provider responded. Other
   * refusals are ignored.
   * @param url the URL that was requested
   */
  failed(provider: UpstreamProvider, step: LoginStep, url: string, error: UpstreamError, now: EpochSeconds): void;
  /** Forgets an outage that an earlier login encountered at this step. Test results remain. */
  succeeded(provider: UpstreamProvider, step: LoginStep): void;
}

/**
 * The last test of each provider on this node since startup, or a later outage that a login encountered. A change to
 * the connection makes both obsolete.
 */
export interface LastTests {
  find(provider: UpstreamProvider): LastTest | null;
  /** Tests the connection, and remembers the result. */
  readonly test: TestProvider;
  readonly loginObserver: LoginObserver;
}

/** The last test, and an outage since then. The only check of an outage is the failed step of the login. */
interface Entry {
  readonly test: LastTest | null;
  readonly outage: LastTest | null;
}

const MAX_TESTS = 100;

/**
 * Returns a key that identifies the tested settings. A change to any other setting, such as the name or the state,
 * leaves the test valid.
 */
function connectionKey(provider: UpstreamProvider): string {
  const { providerId, preset, issuer, tenants, clientId, authentication, sealedSecret } = provider;
  return JSON.stringify([providerId, preset, issuer, tenants, clientId, authentication, sealedSecret]);
}

/**
 * Returns `good` if all steps succeeded, `bad` if one failed, and otherwise `unknown`, because a step was inconclusive.
 */
export function overallResult({ checks }: Pick<LastTest, 'checks'>): ProviderCheck['result'] {
  const results = checks.map(({ result }) => result);
  return (['bad', 'unknown'] as const).find((result) => results.includes(result)) ?? 'good';
}

export function createLastTests(testProvider: TestProvider): LastTests {
  const entries = new LRUCache<string, Entry>({ max: MAX_TESTS });

  function succeeded(provider: UpstreamProvider, step: LoginStep): void {
    const { test, outage } = entries.get(connectionKey(provider)) ?? {};
    if (outage?.checks[0]?.step === step) entries.set(connectionKey(provider), { test: test ?? null, outage: null });
  }

  return {
    find(provider) {
      const { test = null, outage = null } = entries.get(connectionKey(provider)) ?? {};
      return outage ?? test;
    },

    async test(provider, now) {
      const checks = await testProvider(provider, now);
      entries.set(connectionKey(provider), { test: { at: now, by: 'test', checks }, outage: null });
      return checks;
    },

    loginObserver: {
      succeeded,
      failed(provider, step, url, { refusal }, now) {
        if (refusal.rule === 'upstream-code-refused') return succeeded(provider, step);
        if (!isOutage(refusal)) return;
        const { test = null } = entries.get(connectionKey(provider)) ?? {};
        const checks = [failedCheck(step, url, refusal)];
        entries.set(connectionKey(provider), { test, outage: { at: now, by: 'login', checks } });
      },
    },
  };
}
