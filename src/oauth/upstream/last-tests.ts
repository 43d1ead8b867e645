import { LRUCache } from 'lru-cache';
import type { EpochSeconds } from '../../domain/values.ts';
import type { UpstreamProvider } from '../../projections/upstream-providers.ts';
import type { ProviderCheck, TestProvider } from './provider-test.ts';

/** The result of a test of the connection to a provider. */
export interface LastTest {
  readonly at: EpochSeconds;
  readonly checks: readonly ProviderCheck[];
}

/** The last test of each provider on this node since startup. A change of the connection makes its test obsolete. */
export interface LastTests {
  find(provider: UpstreamProvider): LastTest | null;
  /** Tests the connection, and remembers the result. */
  readonly test: TestProvider;
}

const MAX_TESTS = 100;

/**
 * Identifies the tested settings. A change of any other setting, such as the name or the state, leaves the test valid.
 */
function keyOf(provider: UpstreamProvider): string {
  const { providerId, preset, issuer, tenants, clientId, authentication, sealedSecret } = provider;
  return JSON.stringify([providerId, preset, issuer, tenants, clientId, authentication, sealedSecret]);
}

/** Returns `good` if all steps succeeded, `bad` if one failed, or else `unknown`, because a step was inconclusive. */
export function resultOf({ checks }: Pick<LastTest, 'checks'>): ProviderCheck['result'] {
  const results = checks.map(({ result }) => result);
  return (['bad', 'unknown'] as const).find((result) => results.includes(result)) ?? 'good';
}

export function createLastTests(testProvider: TestProvider): LastTests {
  const tests = new LRUCache<string, LastTest>({ max: MAX_TESTS });
  return {
    find: (provider) => tests.get(keyOf(provider)) ?? null,
    async test(provider, now) {
      const checks = await testProvider(provider, now);
      tests.set(keyOf(provider), { at: now, checks });
      return checks;
    },
  };
}
