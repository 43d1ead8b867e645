import type { Config } from '../config/config.ts';
import { clientStream } from '../domain/streams.ts';
import type { EpochSeconds } from '../domain/values.ts';
import { createClientDirectory } from '../oauth/clients/client-directory.ts';
import { createClientDocuments } from '../oauth/clients/client-documents.ts';
import { createDomainList } from '../oauth/clients/domain-list.ts';
import { createInvitationSeal } from '../oauth/clients/invitation-seal.ts';
import type { LostClientKeys } from '../oauth/clients/lost-client-keys.ts';
import { createMemberships } from '../oauth/clients/memberships.ts';
import type { PublishedKeys } from '../oauth/clients/published-keys.ts';
import { createRegistration } from '../oauth/clients/registration.ts';
import type { SecretVault } from '../oauth/clients/secret-vault.ts';
import { createSectorDocuments } from '../oauth/openid/sector-documents.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { CookieKeys } from '../platform/keys/cookie-keys.ts';
import type { Keys } from '../platform/keys/keys.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { Clock, Entropy } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';
import { composeDynamicRegistration } from './dynamic-registration.ts';

/**
 * Creates the parts that register clients, manage their members, and find clients, including clients that are not yet
 * in the log.
 */
export function createClientParts(deps: {
  readonly projections: Pick<Projections, 'clients' | 'clientDomains' | 'users'>;
  readonly commands: Pick<CommandHandlers, 'clients' | 'clientDomains'>;
  readonly secretVault: SecretVault;
  readonly lostClientKeys: Pick<LostClientKeys, 'destroy'>;
  readonly hashing: PasswordHashing;
  readonly publishedKeys: PublishedKeys;
  readonly egress: Egress;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly keys: Pick<Keys, 'registrations'>;
  readonly cookieKeys: Pick<CookieKeys, 'cookies'>;
  readonly entropy: Entropy;
  readonly clock: Clock;
  readonly now: () => EpochSeconds;
  readonly issuer: () => string;
  readonly metrics: Pick<Metrics, 'outgoing'>;
  readonly settings: Config;
}) {
  const { projections, commands, egress, entropy, clock, now, issuer, metrics, settings } = deps;
  const { clients, clientDomains, users } = projections;
  const registration = createRegistration({
    clients: commands.clients,
    registeredClients: clients,
    entropy,
    hashing: deps.hashing,
    clock,
    issuer,
    settings,
    vault: { ...deps.secretVault, destroy: deps.lostClientKeys.destroy },
    sectorDocuments: createSectorDocuments(egress, deps.limits),
  });
  const dynamicRegistration = composeDynamicRegistration({
    clients,
    commands: commands.clients,
    registration,
    published: deps.publishedKeys,
    key: deps.keys.registrations,
    entropy,
    issuer,
    settings,
  });
  const directory = createClientDirectory({
    registeredClients: clients,
    documents: createClientDocuments({
      egress,
      ticks: clock.ticks,
      domains: clientDomains,
      isRemoved: async (id) => (await commands.clients.state(clientStream(id))).status === 'removed',
      onCached: () => metrics.outgoing.observe('client-document', 'cached', 0),
      settings,
    }),
    findSelfRegistered: (clientId) => dynamicRegistration.find(clientId, now()),
    commands: commands.clients,
  });
  const seal = createInvitationSeal(deps.cookieKeys.cookies, entropy);
  return {
    registration,
    dynamicRegistration,
    directory,
    domainList: createDomainList(commands.clientDomains),
    memberships: createMemberships({ commands: commands.clients, clients, users, seal, now }),
  };
}
