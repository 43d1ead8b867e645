import type { KeyObject } from 'node:crypto';
import type { Once } from '../../event-store/once.ts';
import type { Broadcast } from '../broadcast/broadcast.ts';
import type { Ticks } from '../ports.ts';
import { createCounters, hashedKey, keyHasher, type HashedKey } from './counters.ts';
import { createGuessLimiter, type GuessCounters, type GuessLimiter, type LimitUse } from './guess-limiter.ts';
import { LIMIT_NAMES, type LimitName, type Limits } from './limits.ts';
import { NOT_SHARED, shareCounts, type RemoteCount } from './shared-counts.ts';
import { createTokenBudget, type TokenBudget } from './token-budget.ts';
import { TooManyAttemptsError } from './too-many-attempts.ts';

/**
 * Rate limits against abuse. Counts are stored in memory, in tables of a fixed size, and a restart resets them. Windows
 * are measured in ticks, so that changes to the wall clock do not affect them. Nodes that share a log exchange their
 * counts, except attempts in progress.
 */
export interface RateLimits {
  /** Passwords entered on the pages or sent by a public client. The source is an address or a browser. */
  readonly passwords: GuessLimiter;
  /** Passwords sent by a confidential client, which is the source. */
  readonly passwordsByClient: GuessLimiter;
  /** Second factors, after a correct password. The source is an address or a browser. */
  readonly secondSteps: GuessLimiter;
  /** User codes of devices. The subject is the user id, the source an address. */
  readonly userCodes: GuessLimiter;
  /** Client secrets. The source is an address. */
  readonly clientSecrets: GuessLimiter;
  /**
   * Counts an action against `limit` for `key`, once for each request.
   * @throws TooManyAttemptsError if the limit is exhausted
   */
  spend(limit: LimitName, key: string, once: Once): void;
  /** Tokens per client, or per user of a public client. */
  readonly tokens: TokenBudget;
  /** Returns the number of requests that each limit has refused since startup. */
  refusals(): Readonly<Record<LimitName, number>>;
}

/** How long a source stays known after its last success: two weeks, which is also the default lifetime of a session. */
const KNOWN_FOR_SECONDS = 1_209_600;
const LOG_INTERVAL_MS = 60_000;

/** The retry delay if attempts in progress exhaust a limit. It is short, because the attempts may end soon. */
const PENDING_RETRY_MS = 1_000;

/** The tables of known sources: those of accounts, and those of clients. */
type KnownSources = 'known-for-account' | 'known-for-client';

/**
 * Creates the rate limits for a node.
 * @param deps.broadcast sends messages to the other nodes; undefined on a server with a single node
 */
export function createRateLimits(deps: {
  readonly limits: Limits;
  readonly ticks: Ticks;
  /** The key for hashing the keys of counts; the same on all nodes. */
  readonly key: KeyObject;
  readonly broadcast: Broadcast | undefined;
}): RateLimits {
  const { limits, ticks, broadcast } = deps;
  const hash = keyHasher(deps.key);
  const counters = mapLimits(createCounters);
  const knownSources = { 'known-for-account': createCounters(), 'known-for-client': createCounters() };
  const pending = mapLimits(createTally);
  const refusals = mapLimits(() => 0);
  const nextLogAt = new Map<LimitName, number>();

  /** Returns the time at which the limit allows another action, or undefined if it allows one now. */
  function exhaustedUntil([limit, key]: LimitUse, now: number): number | undefined {
    const { max } = limits[limit];
    const { count: currentCount, endsAt } = counters[limit].read(key, now);
    if (currentCount >= max) return endsAt;
    return currentCount + pending[limit].count(key) >= max ? now + PENDING_RETRY_MS : undefined;
  }

  function admit(uses: readonly LimitUse[]): void {
    const now = ticks();
    let longestBlock: { readonly limit: LimitName; readonly endsAt: number } | undefined;
    for (const use of uses) {
      const endsAt = exhaustedUntil(use, now);
      if (endsAt !== undefined && endsAt > (longestBlock?.endsAt ?? -Infinity))
        longestBlock = { limit: use[0], endsAt };
    }
    if (longestBlock !== undefined) throw refuse(longestBlock.limit, longestBlock.endsAt, now);
  }

  function refuse(limit: LimitName, endsAt: number, now: number): TooManyAttemptsError {
    refusals[limit] += 1;
    const shouldLog = now >= (nextLogAt.get(limit) ?? -Infinity);
    if (shouldLog) nextLogAt.set(limit, now + LOG_INTERVAL_MS);
    return new TooManyAttemptsError(limit, Math.ceil((endsAt - now) / 1000), shouldLog);
  }

  function count(uses: readonly LimitUse[]): void {
    for (const [limit, key] of uses) {
      const endsAt = counters[limit].add(key, ticks(), limits[limit].windowSeconds);
      sharedCounts.report(limit, formatKey(key), endsAt);
    }
  }

  function countersFor(sources: KnownSources): GuessCounters {
    return {
      hash,
      admit,
      begin: (uses) => uses.forEach(([limit, key]) => pending[limit].add(key, 1)),
      end: (uses) => uses.forEach(([limit, key]) => pending[limit].add(key, -1)),
      count,
      isKnown: (pair) => knownSources[sources].read(pair, ticks()).count > 0,
      remember(pair) {
        knownSources[sources].renew(pair, ticks(), KNOWN_FOR_SECONDS);
        sharedCounts.report(sources, formatKey(pair), ticks() + KNOWN_FOR_SECONDS * 1000);
      },
    };
  }

  /** Adds another node's count to the open window, or opens one that ends at the same time as that node's window. */
  function addRemote({ counter, key, times, milliseconds }: RemoteCount): void {
    if (counter === 'tokens-by-client') return tokens.addIssued(key, times, milliseconds);
    const remoteKey = parseKey(key);
    if (remoteKey === undefined) return;
    if (isIn(knownSources, counter)) knownSources[counter].renew(remoteKey, ticks(), KNOWN_FOR_SECONDS);
    if (!isIn(counters, counter)) return; // a limit from another release
    const seconds = Math.min(milliseconds / 1000, limits[counter].windowSeconds);
    counters[counter].add(remoteKey, ticks(), seconds, times);
  }

  const tokens = createTokenBudget(
    limits['tokens-by-client'],
    ticks,
    (endsAt, now) => refuse('tokens-by-client', endsAt, now),
    (spender, endsAt) => sharedCounts.report('tokens-by-client', spender, endsAt),
  );
  const sharedCounts = broadcast === undefined ? NOT_SHARED : shareCounts(broadcast, ticks, addRemote);
  const accountCounters = countersFor('known-for-account');
  const passwordLimits = { pair: 'password-by-account-and-place', subject: 'password-by-account' } as const;

  return {
    passwords: createGuessLimiter({ ...passwordLimits, source: 'password-by-address' }, accountCounters),
    passwordsByClient: createGuessLimiter(
      { ...passwordLimits, source: 'password-by-client', sourceAddress: 'password-by-address-of-clients' },
      accountCounters,
    ),
    secondSteps: createGuessLimiter(
      {
        pair: 'second-step-by-account-and-place',
        subject: 'second-step-by-account',
        source: 'second-step-by-address',
      },
      accountCounters,
    ),
    userCodes: createGuessLimiter(
      {
        pair: 'user-code-by-account-and-place',
        subject: 'user-code-by-account',
        source: 'user-code-by-address',
      },
      accountCounters,
    ),
    clientSecrets: createGuessLimiter(
      {
        pair: 'client-secret-by-client-and-address',
        subject: 'client-secret-by-client',
        source: 'client-secret-by-address',
      },
      countersFor('known-for-client'),
    ),

    spend(limit, key, once) {
      once(['limit', limit, key], () => {
        const uses: readonly LimitUse[] = [[limit, hash(key)]];
        admit(uses);
        count(uses);
      });
    },

    tokens,
    refusals: () => ({ ...refusals }),
  };
}

function mapLimits<Value>(make: () => Value): Record<LimitName, Value> {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, make()])) as Record<LimitName, Value>;
}

function isIn<Table extends object>(table: Table, name: string): name is string & keyof Table {
  return Object.hasOwn(table, name);
}

const KEY_RADIX = 36;

/** Formats a key for messages to other nodes. */
function formatKey({ tag }: HashedKey): string {
  return tag.toString(KEY_RADIX);
}

/** Parses a result of `formatKey`. Returns undefined if the string is malformed. */
function parseKey(text: string): HashedKey | undefined {
  if (!/^[0-9a-z]{1,13}$/.test(text)) return undefined;
  let tag = 0n;
  for (const digit of text) tag = tag * BigInt(KEY_RADIX) + BigInt(Number.parseInt(digit, KEY_RADIX));
  return hashedKey(BigInt.asUintN(64, tag));
}

/** Counts attempts in progress by key. There are only a few at a time. */
function createTally() {
  const counts = new Map<bigint, number>();
  return {
    count: ({ tag }: HashedKey): number => counts.get(tag) ?? 0,
    add({ tag }: HashedKey, change: 1 | -1): void {
      const count = (counts.get(tag) ?? 0) + change;
      if (count === 0) counts.delete(tag);
      else counts.set(tag, count);
    },
  };
}
