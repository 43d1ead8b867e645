import { decodeEvent } from '../domain/events.ts';
import { START, type EventLog, type Position } from '../event-store/event-log.ts';
import type { ScopeUse, FindScopeUse } from '../oauth/settings/forecast.ts';

const MONTH_MILLISECONDS = 2_592_000_000;

/** Each search reads at most this many events, and at most this many tokens are stored. */
const MAX_EVENTS = 100_000;
/** The maximum number of scope lists that tokens share. */
const MAX_SHARED_SCOPES = 1_000;

export interface ScopeUseDeps {
  readonly log: Pick<EventLog, 'head' | 'readAll'>;
  readonly nameOf: (clientId: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** `MAX_EVENTS` by default. */
  readonly limit?: number;
}

interface IssuedToken {
  readonly at: number;
  readonly clientId: string;
  readonly scope: readonly string[];
}

/**
 * Finds the applications that got access tokens with a scope in the last month, or in the newest events of a longer
 * log, with the number of tokens. The first search reads the newest events and stores their tokens. Each further search
 * reads only the events since then.
 */
export function createScopeUseFinder({ log, nameOf, now, limit = MAX_EVENTS }: ScopeUseDeps): FindScopeUse {
  let issuedTokens: IssuedToken[] = [];
  let readTo: Position = START;
  /** All tokens issued since this time are in `issuedTokens`, unless they are older than a month. */
  let completeSince = -Infinity;
  const sharedScopes = new Map<string, readonly string[]>();
  let reading: Promise<void> = Promise.resolve();

  /** Returns one list for all tokens with the same scopes. */
  function internScope(scope: readonly string[]): readonly string[] {
    const key = scope.join(' ');
    const list = sharedScopes.get(key) ?? scope;
    if (sharedScopes.size >= MAX_SHARED_SCOPES) sharedScopes.clear();
    sharedScopes.set(key, list);
    return list;
  }

  function restart(from: Position): void {
    issuedTokens = [];
    sharedScopes.clear();
    readTo = from;
    completeSince = Infinity; // until the first event is read
  }

  async function readNewest(): Promise<void> {
    const oldest = Math.max(START, log.head() - limit) as Position;
    if (readTo < oldest) restart(oldest);
    for await (const batch of log.readAll(readTo)) {
      for (const recordedEvent of batch) {
        if (completeSince === Infinity) completeSince = recordedEvent.recordedAt;
        readTo = recordedEvent.position;
        if (recordedEvent.type !== 'AccessTokenIssued') continue;
        const { type, data } = decodeEvent(recordedEvent);
        if (type !== 'AccessTokenIssued') continue;
        issuedTokens.push({ at: recordedEvent.recordedAt, clientId: data.clientId, scope: internScope(data.scope) });
      }
    }
    forgetOldTokens();
  }

  function forgetOldTokens(): void {
    const monthAgo = now() - MONTH_MILLISECONDS;
    const firstCurrent = issuedTokens.findIndex(({ at }) => at >= monthAgo);
    issuedTokens.splice(0, firstCurrent === -1 ? issuedTokens.length : firstCurrent);
    const [newestRemoved] = issuedTokens.splice(0, Math.max(0, issuedTokens.length - limit)).slice(-1);
    if (newestRemoved !== undefined) completeSince = newestRemoved.at + 1;
  }

  return async (scope): Promise<ScopeUse> => {
    // one at a time, so that no event is counted twice
    reading = reading.then(readNewest, readNewest);
    await reading;
    const since = Math.max(now() - MONTH_MILLISECONDS, completeSince);
    const tokens = new Map<string, number>();
    for (const { at, clientId, scope: grantedScope } of issuedTokens)
      if (at >= since && grantedScope.includes(scope)) tokens.set(clientId, (tokens.get(clientId) ?? 0) + 1);
    const applications = [...tokens].map(([clientId, count]) => ({
      clientId,
      application: nameOf(clientId),
      tokens: count,
    }));
    return { since, applications: applications.toSorted((a, b) => b.tokens - a.tokens) };
  };
}
