import { decodeEvent } from '../domain/events.ts';
import { START, type EventLog, type Position } from '../event-store/event-log.ts';
import type { ScopeUse } from '../oauth/settings/forecast.ts';

const MONTH_MILLISECONDS = 2_592_000_000;

/** For a month with more events, only the newest are read. */
const MAX_EVENTS = 100_000;

/**
 * Returns the applications that got access tokens with the scope in the last month, with the number of tokens.
 * @param now milliseconds since the epoch
 */
export async function scopeUse(
  { head, readAll }: Pick<EventLog, 'head' | 'readAll'>,
  nameOf: (clientId: string) => string,
  scope: string,
  now: number,
): Promise<ScopeUse> {
  const from = Math.max(START, head() - MAX_EVENTS) as Position;
  const tokens = new Map<string, number>();
  let since = now - MONTH_MILLISECONDS;
  for await (const batch of readAll(from)) {
    for (const recorded of batch) {
      if (recorded.position === from + 1 && from > START) since = Math.max(since, recorded.recordedAt);
      if (recorded.type !== 'AccessTokenIssued' || recorded.recordedAt < since) continue;
      const { type, data } = decodeEvent(recorded);
      if (type !== 'AccessTokenIssued' || !data.scope.includes(scope)) continue;
      tokens.set(data.clientId, (tokens.get(data.clientId) ?? 0) + 1);
    }
  }
  const applications = [...tokens].map(([clientId, count]) => ({
    clientId,
    application: nameOf(clientId),
    tokens: count,
  }));
  return { since, applications: applications.toSorted((a, b) => b.tokens - a.tokens) };
}
