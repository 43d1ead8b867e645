import type { EventOf } from '../../domain/events.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';
import { unchangedRedirectUris, redirectUriProblem } from '../../oauth/clients/redirect-uris.ts';
import type { Clients } from '../../projections/clients.ts';
import { redirectUriSettings, type SimulatedSettings } from './simulated-settings.ts';
import { refused, type Difference } from './outcome.ts';

type RegisteredFields = Pick<EventOf<'ClientUpdated'>['data'], 'name' | 'clientType' | 'redirectUris'>;

/** The applications as they would be registered. */
export interface SimulatedClients {
  readonly find: Clients['find'];
  /** What people call it, whether or not it would be registered. */
  nameOf(clientId: string): string;
  /** The refusal that kept it from being registered as it was; undefined when it would be. */
  refusalOf(clientId: string): Difference | undefined;
  register(clientId: string, registered: RegisteredFields, event: RecordedEvent): Difference | undefined;
  update(clientId: string, updated: RegisteredFields, event: RecordedEvent): Difference | undefined;
  /** Whatever else happened, would have happened. */
  apply(event: RecordedEvent): void;
}

export function createSimulatedClients(
  clients: Pick<Clients, 'find' | 'apply'>,
  changed: SimulatedSettings,
): SimulatedClients {
  const cut = new Map<string, { readonly by: Difference; readonly name: string }>();

  /** @param kept redirect URIs that the client already has: they are not judged again, and block no other change */
  function refuse(
    clientId: string,
    registered: RegisteredFields,
    kept: readonly string[] = [],
  ): Difference | undefined {
    const { name, redirectUris, clientType } = registered;
    const added = redirectUris.filter((uri) => !kept.includes(uri));
    const by = added.flatMap((uri) => redirectUriRefusal(uri, clientType, changed) ?? [])[0];
    if (by !== undefined) cut.set(clientId, { by, name });
    return by;
  }

  return {
    find: clients.find,
    nameOf: (clientId) => cut.get(clientId)?.name ?? clients.find(clientId)?.name ?? '',
    refusalOf: (clientId) => cut.get(clientId)?.by,

    register(clientId, registered, event) {
      const difference = refuse(clientId, registered);
      if (difference === undefined) clients.apply(event);
      return difference;
    },

    update(clientId, updated, event) {
      const before = cut.get(clientId);
      if (before !== undefined && clients.find(clientId) === undefined) return undefined; // there would be nothing to update
      const difference = refuse(clientId, updated, unchangedRedirectUris(clients.find(clientId), updated));
      if (difference !== undefined) return difference;
      cut.delete(clientId); // an update says everything anew
      clients.apply(event);
      return undefined;
    },

    apply: (event) => clients.apply(event),
  };
}

/** What was registered passed every other rule of its time. */
function redirectUriRefusal(
  uri: string,
  clientType: RegisteredFields['clientType'],
  changed: SimulatedSettings,
): Difference | undefined {
  const problem = redirectUriProblem(uri, clientType, redirectUriSettings(changed, uri));
  if (problem === undefined || redirectUriProblem(uri, clientType, redirectUriSettings({}, uri)) !== undefined)
    return undefined;
  return refused('redirect-uri-not-allowed', `${uri} ${problem}`);
}
