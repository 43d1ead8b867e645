import { decodeEvent } from '../domain/events.ts';
import { START, type EventLog, type Position } from '../event-store/event-log.ts';
import type { ScopeUse, FindScopeUse } from '../oauth/settings/forecast.ts';

const MONTH_MILLISECONDS = 2_592_000_000;

/** Each search reads at most this many events, and at most this many tokens are stored. */
const MAX_EVENTS = 100_000;
/** The maximum number of scope lists to keep for sharing between tokens. */
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
 * Creates a function that finds the applications that got access tokens with a given scope in the last month, and
 * counts these tokens. In a long log, only the newest events are searched. The first search reads these events and
 * stores their tokens; later searches read only newer events.
 */
export function createScopeUseFinder({ log, nameOf, now, limit = MAX_EVENTS }: ScopeUseDeps): FindScopeUse {
  let issuedTokens: IssuedToken[] = [];
  let readPosition: Position = START;
  /** All tokens issued since this time are in `issuedTokens`, unless they are older than a month. */
  let completeSince = -Infinity;
  const sharedScopes = new Map<string, readonly string[]>();
  let reading: Promise<void> = Promise.resolve();

  /** Returns the same list for all tokens with the same scopes. */
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
    readPosition = from;
    completeSince = Infinity; // until the first event is read
  }

  async function readNewest(): Promise<void> {
    const startPosition = Math.max(START, log.head() - limit) as Position;
    if (readPosition < startPosition) restart(startPosition);
    for await (const batch of log.readAll(readPosition)) {
      for (const recordedEvent of batch) {
        if (completeSince === Infinity) completeSince = recordedEvent.recordedAt;
        readPosition = recordedEvent.position;
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
    const firstRecentIndex = issuedTokens.findIndex(({ at }) => at >= monthAgo);
    issuedTokens.splice(0, firstRecentIndex === -1 ? issuedTokens.length : firstRecentIndex);
    const [newestRemovedToken] = issuedTokens.splice(0, Math.max(0, issuedTokens.length - limit)).slice(-1);
    if (newestRemovedToken !== undefined) completeSince = newestRemovedToken.at + 1;
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
