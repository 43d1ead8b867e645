import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import { validPreviousSecret } from '../../../domain/previous-secret.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Text } from '../../../language/message.ts';
import type { Explanations } from '../../../oauth/refusals/explanations.ts';
import { overallResult, type LastTests } from '../../../oauth/upstream/last-tests.ts';
import type { Client, Clients } from '../../../projections/clients.ts';
import type { UpstreamProvider, UpstreamProviders } from '../../../projections/upstream-providers.ts';
import type { Users } from '../../../projections/users.ts';
import type { AttentionFacts } from './attention.ts';

export interface AttentionDeps {
  readonly state: AttentionFacts['state'];
  /** Returns the reason the server is not ready, or undefined if it is ready. */
  readonly obstacle: () => Text | undefined;
  readonly users: Pick<Users, 'all'>;
  readonly clients: Pick<Clients, 'all' | 'find'>;
  readonly upstreamProviders: Pick<UpstreamProviders, 'allEnabled'>;
  readonly lastProviderTests: Pick<LastTests, 'find'>;
  readonly explanations: Pick<Explanations, 'requests'>;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'hasFactor' | 'isRequired'>;
}

const DAY_SECONDS = 86_400;

/** Collects the facts for all pages that report problems, so that these pages agree. */
export function attentionFacts(deps: AttentionDeps, now: EpochSeconds): AttentionFacts {
  const { state, obstacle, users, clients, explanations, secondFactorPolicy: policy } = deps;
  let [administratorsWithoutFactor, usersWithoutRequiredFactor] = [0, 0];
  for (const user of users.all()) {
    if (!user.active || policy.hasFactor(user.userId)) continue;
    if (policy.isRequired(user)) usersWithoutRequiredFactor += 1;
    else if (user.roles.includes('administrator')) administratorsWithoutFactor += 1;
  }
  return {
    now,
    obstacle: obstacle() ?? null,
    state,
    administratorsWithoutFactor,
    usersWithoutRequiredFactor,
    failedProviders: deps.upstreamProviders.allEnabled().filter((provider) => hasFailed(provider, deps)),
    clientsWithExpiringSecret: clients.all().filter((client) => usesExpiringSecret(client, now)),
    refusals: explanations.requests(),
    nameOf: (clientId) => clients.find(clientId)?.name ?? clientId,
  };
}

function hasFailed(provider: UpstreamProvider, { lastProviderTests }: AttentionDeps): boolean {
  const lastTest = lastProviderTests.find(provider);
  return lastTest !== null && overallResult(lastTest) === 'bad';
}

/** Reports whether the client has used its old secret since the rotation, and the secret expires within a day. */
function usesExpiringSecret(client: Client, now: EpochSeconds): boolean {
  const oldSecret = validPreviousSecret(client, now);
  return oldSecret !== null && client.lastUse.previousSecret !== null && oldSecret.until - now < DAY_SECONDS;
}
