import { decodeEvent } from '../../domain/events.ts';
import { grantStream } from '../../domain/streams.ts';
import type { ClientId, EpochSeconds, GrantId } from '../../domain/values.ts';
import type { EventLog } from '../../event-store/event-log.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import { readFirstEvent } from './grant-end.ts';

/** Access that one application passed on to another through an exchange of its token. */
export interface PassedOnAccess {
  /** The names of the applications. */
  readonly from: string;
  readonly to: string;
  readonly scope: readonly string[];
  /** Empty means no limit to resource servers. */
  readonly resources: readonly string[];
  readonly until: EpochSeconds;
}

export interface PassedOnDeps {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly exchanges: Pick<Exchanges, 'listByRoot' | 'isLive'>;
  readonly clients: Pick<Clients, 'find'>;
  readonly now: () => EpochSeconds;
}

/** Only the newest are shown, because each costs a short read of the log. */
const MAX_SHOWN = 5;

/**
 * Returns the valid tokens that come from a grant through exchanges: the newest ones, oldest first, and the number of
 * older ones.
 */
export async function listPassedOn(
  grantId: GrantId,
  { log, exchanges, clients, now }: PassedOnDeps,
): Promise<{ readonly newest: readonly PassedOnAccess[]; readonly others: number }> {
  const currentTime = now();
  const nameOf = (clientId: ClientId): string => clients.find(clientId)?.name ?? clientId;
  const liveExchanges = exchanges
    .listByRoot(grantId)
    .filter(({ grantId: id, expiresAt }) => id !== grantId && currentTime < expiresAt && exchanges.isLive(id));
  const newest: PassedOnAccess[] = [];
  for (const exchange of liveExchanges.slice(-MAX_SHOWN)) {
    const firstEvent = await readFirstEvent(grantStream(exchange.grantId), log);
    const event = firstEvent && decodeEvent(firstEvent);
    if (event?.type !== 'TokenExchanged' || !('clientId' in event.data.parent)) continue;
    const { clientId, parent, scope, resource: resources = [], expiresAt: until } = event.data;
    newest.push({ from: nameOf(parent.clientId), to: nameOf(clientId), scope, resources, until });
  }
  return { newest, others: liveExchanges.length - newest.length };
}
