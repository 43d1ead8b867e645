import type { Config } from '../config/config.ts';
import { createExchangePolicyRegistry } from '../oauth/exchange/policy-registry.ts';
import type { AssertionNames } from '../oauth/issuers/assertion-names.ts';
import { createTrustedIssuerRegistry } from '../oauth/issuers/issuer-registry.ts';
import type { KnownResources } from '../oauth/resources/known-resources.ts';
import { createResourceRegistry } from '../oauth/resources/resource-registry.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';

/** Creates the registries of resource servers, exchange policies and trusted issuers. */
export function createRegistries(deps: {
  readonly projections: Pick<Projections, 'clients' | 'exchangePolicies' | 'resources' | 'trustedIssuers' | 'users'>;
  readonly commands: Pick<CommandHandlers, 'exchangePolicies' | 'resources' | 'trustedIssuers'>;
  readonly resources: KnownResources;
  readonly assertionNames: AssertionNames;
  readonly issuer: () => string;
  readonly settings: Config;
}) {
  const { projections, commands, resources, issuer, settings } = deps;
  const { clients, users } = projections;
  return {
    resourceRegistry: createResourceRegistry({
      commands: commands.resources,
      resources: projections.resources,
      clients,
      issuer,
      settings,
    }),
    exchangePolicyRegistry: createExchangePolicyRegistry({
      commands: commands.exchangePolicies,
      policies: projections.exchangePolicies,
      clients,
      resources,
    }),
    trustedIssuerRegistry: createTrustedIssuerRegistry({
      commands: commands.trustedIssuers,
      trustedIssuers: projections.trustedIssuers,
      clients,
      users,
      resources,
      names: deps.assertionNames,
      issuer,
      settings,
    }),
  };
}
