import type { Config } from '../config/config.ts';
import { createRequireAcceptedDomain } from '../oauth/clients/document-policy.ts';
import { createTokenEndpoint } from '../oauth/endpoints/token-endpoint.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Clock } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import { createExchangeTokenReader, type ExchangeDeps } from './exchanges.ts';
import { createGrantTypes, type GrantTypeDeps } from './grant-types.ts';
import type { TokenChecks } from './token-checks.ts';

/** The dependencies of the grant types, except those that `createTokenEndpointParts` adds. */
type SharedGrantTypeDeps = Omit<
  GrantTypeDeps,
  'grants' | 'liveGrants' | 'policies' | 'exchanges' | 'readSubjects' | 'ticks' | 'settings'
>;

/** Creates the token endpoint and its grant types. */
export function createTokenEndpointParts(
  deps: ExchangeDeps &
    SharedGrantTypeDeps &
    Pick<TokenChecks, 'timeAwareGrants'> & {
      readonly projections: Pick<Projections, 'clientDomains' | 'exchangePolicies'>;
      readonly limits: Pick<RateLimits, 'tokens'>;
      readonly clock: Clock;
      readonly settings: Config;
    },
) {
  const { projections, settings } = deps;
  const grantTypes = createGrantTypes({
    ...deps,
    grants: deps.commands.grants,
    liveGrants: deps.timeAwareGrants,
    policies: projections.exchangePolicies,
    exchanges: projections.exchanges,
    readSubjects: createExchangeTokenReader(deps),
    ticks: deps.clock.ticks,
  });
  const requireAcceptedDomain = createRequireAcceptedDomain(projections.clientDomains, settings);
  return {
    token: createTokenEndpoint(grantTypes, deps.limits.tokens, requireAcceptedDomain, settings),
    grantTypes: grantTypes.map(({ name }) => name),
  };
}
