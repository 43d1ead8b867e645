import {
  copyHistory,
  countOccurrence,
  DAY_SECONDS,
  DAYS,
  emptyHistory,
  HOUR_SECONDS,
  HOURS,
  periodsUpTo,
  type PeriodCount,
  type PeriodCounts,
  type RecentHistory,
} from '../domain/recent-counts.ts';
import type { ClientId, EpochSeconds } from '../domain/values.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { clientIdOf } from './clients.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';

/**
 * Counts of the access tokens recently issued to each registered client, and of all tokens and logins on the server.
 * Memory is bounded: each client has at most `HOURS` hourly and `DAYS` daily counts.
 */
export interface Activity extends Projection {
  /** Returns the counts of access tokens that were issued to a client. */
  issuedTo(clientId: ClientId, now: EpochSeconds): PeriodCounts;
  /** Returns the counts of access tokens of all clients, including removed ones, and of logins of all users. */
  ofServer(now: EpochSeconds): Readonly<Record<'tokens' | 'logins', PeriodCounts>>;
  /**
   * Returns an upper bound on the number of tokens issued in the last `seconds`, from counts of whole hours or days.
   * Returns undefined if the counts do not go back that far.
   */
  upperBoundWithin(clientId: ClientId, seconds: number, now: EpochSeconds): number | undefined;
}

interface ClientEntry extends RecentHistory {
  readonly clientId: ClientId;
}

interface ServerEntry {
  readonly ofServer: Readonly<Record<'tokens' | 'logins', RecentHistory>>;
}

export function createActivity(): Activity {
  const byClient = new Map<string, ClientEntry>();
  let ofServer: ServerEntry['ofServer'] = { tokens: emptyHistory(), logins: emptyHistory() };

  function countToken(clientId: ClientId, { recordedAt }: RecordedEvent): void {
    countOccurrence(ofServer.tokens, recordedAt / 1000);
    const entry = byClient.get(clientId);
    if (entry !== undefined) countOccurrence(entry, recordedAt / 1000); // undefined if the client was just removed
  }

  const ofClient = (clientId: ClientId): RecentHistory => byClient.get(clientId) ?? emptyHistory();

  const handlers = handleEvents<'activity'>({
    AccessTokenIssued: ({ clientId }, event) => countToken(clientId, event),
    SessionStarted: (_data, { recordedAt }) => countOccurrence(ofServer.logins, recordedAt / 1000),
    ClientRegistered: ({ clientId }) => void byClient.set(clientId, { clientId, ...emptyHistory() }),
    ClientDocumentAccepted: ({ clientId }) => void byClient.set(clientId, { clientId, ...ofClient(clientId) }),
    ClientRemoved: (_data, event) => void byClient.delete(clientIdOf(event)),
  });

  return {
    name: 'activity',
    issuedTo: (clientId, now) => periodsUpTo(now, ofClient(clientId)),
    ofServer: (now) => ({ tokens: periodsUpTo(now, ofServer.tokens), logins: periodsUpTo(now, ofServer.logins) }),
    upperBoundWithin(clientId, seconds, now) {
      const { hours, days } = periodsUpTo(now, ofClient(clientId));
      if (seconds <= (HOURS - 1) * HOUR_SECONDS) return sumSince(now - seconds, hours, HOUR_SECONDS);
      return seconds <= (DAYS - 1) * DAY_SECONDS ? sumSince(now - seconds, days, DAY_SECONDS) : undefined;
    },
    *contents() {
      yield ofServer;
      yield* byClient.values();
    },
    freeze: () =>
      jsonPieces([
        {
          ofServer: { tokens: copyHistory(ofServer.tokens), logins: copyHistory(ofServer.logins) },
        } satisfies ServerEntry,
        ...[...byClient.values()].map((entry): ClientEntry => ({ clientId: entry.clientId, ...copyHistory(entry) })),
      ]),
    restore(piece) {
      for (const entry of parseEntries<ClientEntry | ServerEntry>(piece)) {
        if ('ofServer' in entry) ({ ofServer } = entry);
        else byClient.set(entry.clientId, entry);
      }
    },

    ...handlers,
  };
}

function sumSince(since: number, periods: readonly PeriodCount[], seconds: number): number {
  return periods.filter(({ from }) => from + seconds > since).reduce((sum, { count }) => sum + count, 0);
}
