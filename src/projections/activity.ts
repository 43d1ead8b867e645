import type { ClientId, EpochSeconds } from '../domain/values.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { clientIdOf } from './clients.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';
import { increment, readCount, emptyCounts, type RecentCounts } from './recent-counts.ts';

/** The number of access tokens issued to a client in one hour or on one day (UTC). */
export interface TokensIssued {
  /** The start of the hour or day. */
  readonly from: EpochSeconds;
  readonly tokens: number;
}

/**
 * The number of access tokens recently issued to each registered client. Memory is bounded: at most `HOURS` and `DAYS`
 * numbers for each client.
 */
export interface Activity extends Projection {
  /** The last `HOURS` hours and `DAYS` days, oldest first; the last ones contain `now`. */
  issuedTo(
    clientId: ClientId,
    now: EpochSeconds,
  ): { readonly hours: readonly TokensIssued[]; readonly days: readonly TokensIssued[] };
  /**
   * An upper bound of the tokens issued in the last `seconds`: whole hours or days are counted. Undefined if that goes
   * back further than the counts.
   */
  upperBoundWithin(clientId: ClientId, seconds: number, now: EpochSeconds): number | undefined;
}

const HOURS = 24;
const DAYS = 30;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

interface Entry {
  readonly clientId: ClientId;
  readonly hours: RecentCounts;
  readonly days: RecentCounts;
}

export function createActivity(): Activity {
  const byClient = new Map<string, Entry>();

  function count(clientId: ClientId, at: number): void {
    const entry = byClient.get(clientId);
    if (entry === undefined) return; // the client was removed meanwhile
    increment(entry.hours, Math.floor(at / HOUR_SECONDS), HOURS);
    increment(entry.days, Math.floor(at / DAY_SECONDS), DAYS);
  }

  const ofClient = (clientId: ClientId): Omit<Entry, 'clientId'> =>
    byClient.get(clientId) ?? { hours: emptyCounts(), days: emptyCounts() };

  const handle = handleEvents<'activity'>({
    AccessTokenIssued: ({ clientId }, { recordedAt }) => count(clientId, recordedAt / 1000),
    ClientRegistered: ({ clientId }) =>
      void byClient.set(clientId, { clientId, hours: emptyCounts(), days: emptyCounts() }),
    ClientDocumentAccepted: ({ clientId }) => void byClient.set(clientId, { clientId, ...ofClient(clientId) }),
    ClientRemoved: (_data, event) => void byClient.delete(clientIdOf(event)),
  });

  return {
    name: 'activity',
    issuedTo(clientId, now) {
      const { hours, days } = ofClient(clientId);
      return { hours: periodsUpTo(now, hours, HOURS, HOUR_SECONDS), days: periodsUpTo(now, days, DAYS, DAY_SECONDS) };
    },
    upperBoundWithin(clientId, seconds, now) {
      const { hours, days } = ofClient(clientId);
      if (seconds <= (HOURS - 1) * HOUR_SECONDS)
        return sumSince(now - seconds, periodsUpTo(now, hours, HOURS, HOUR_SECONDS), HOUR_SECONDS);
      return seconds <= (DAYS - 1) * DAY_SECONDS
        ? sumSince(now - seconds, periodsUpTo(now, days, DAYS, DAY_SECONDS), DAY_SECONDS)
        : undefined;
    },
    contents: () => byClient.values(),
    freeze: () =>
      jsonPieces(
        [...byClient.values()].map(({ clientId, hours, days }): Entry => ({
          clientId,
          hours: copyCounts(hours),
          days: copyCounts(days),
        })),
      ),
    restore(piece) {
      for (const entry of parseEntries<Entry>(piece)) byClient.set(entry.clientId, entry);
    },

    apply: handle,
  };
}

function periodsUpTo(
  now: EpochSeconds,
  recent: RecentCounts,
  periods: number,
  seconds: number,
): readonly TokensIssued[] {
  const last = Math.floor(now / seconds);
  return Array.from({ length: periods }, (_, index) => {
    const period = last - periods + 1 + index;
    return { from: (period * seconds) as EpochSeconds, tokens: readCount(recent, period) };
  });
}

function sumSince(since: number, issued: readonly TokensIssued[], seconds: number): number {
  return issued.filter(({ from }) => from + seconds > since).reduce((sum, { tokens }) => sum + tokens, 0);
}

function copyCounts({ newest, counts }: RecentCounts): RecentCounts {
  return { newest, counts: [...counts] };
}
