import type { Clients } from '../../projections/clients.ts';
import type { ClientDomains } from '../../projections/client-domains.ts';
import type { Grants } from '../../projections/grants.ts';
import type { ResourceServers } from '../../projections/resources.ts';

/** The state when the simulated change takes effect. The simulator modifies this state. */
export interface InitialState {
  readonly clients: Pick<Clients, 'find' | 'apply' | 'all'>;
  readonly clientDomains: Pick<ClientDomains, 'find'>;
  readonly grants: Pick<Grants, 'covers' | 'apply'>;
  readonly resources: Pick<ResourceServers, 'all' | 'apply'>;
}
