import type { Clock, Entropy } from '../ports.ts';
import { createCounters, keyHasher, type Counters } from './counters.ts';
import { createGuesses, type GuessCounting, type Guesses, type Spending } from './guesses.ts';
import { LIMIT_NAMES, type LimitName, type Limits } from './limits.ts';
import { TooManyAttempts } from './too-many-attempts.ts';

/**
 * How often what can be abused may be done. Kept in this process's memory alone, in tables of a fixed size:
 * nothing here is an event, and a restart begins from nothing.
 */
export interface RateLimits {
  /** Passwords on the pages, or by way of a client that cannot prove itself; the place is an address or a browser. */
  readonly passwords: Guesses;
  /** Passwords by way of a client that has proven itself; the place is the client. */
  readonly passwordsByClient: Guesses;
  /** Client secrets; the place is an address. */
  readonly clientSecrets: Guesses;
  /** Counts one of `limit` on `key`. @throws TooManyAttempts there is none left */
  spend(limit: LimitName, key: string): void;
  /** How many requests each limit has refused since the start. */
  refusals(): Readonly<Record<LimitName, number>>;
}

/** How long a place stays known after its last success: a fortnight, as long as a log-in on the pages. */
const KNOWN_FOR_SECONDS = 1_209_600;
const LINE_EVERY_MS = 60_000;

export function createRateLimits(limits: Limits, clock: Clock, entropy: Entropy): RateLimits {
  const hash = keyHasher(entropy.bytes(32));
  const counters = Object.fromEntries(LIMIT_NAMES.map((name) => [name, createCounters()])) as Record<LimitName, Counters>;
  const refusals = Object.fromEntries(LIMIT_NAMES.map((name) => [name, 0])) as Record<LimitName, number>;
  const nextLineAt = new Map<LimitName, number>();

  function admit(spent: readonly Spending[]): void {
    const now = clock.now();
    let longest: { readonly limit: LimitName; readonly endsAt: number } | undefined;
    for (const [limit, key] of spent) {
      const { count: used, endsAt } = counters[limit].read(key, now);
      if (used >= limits[limit].most && endsAt > (longest?.endsAt ?? 0)) longest = { limit, endsAt };
    }
    if (longest !== undefined) throw refuse(longest.limit, longest.endsAt, now);
  }

  function refuse(limit: LimitName, endsAt: number, now: number): TooManyAttempts {
    refusals[limit] += 1;
    const isNews = now >= (nextLineAt.get(limit) ?? 0);
    if (isNews) nextLineAt.set(limit, now + LINE_EVERY_MS);
    return new TooManyAttempts(limit, Math.ceil((endsAt - now) / 1000), isNews);
  }

  function count(spent: readonly Spending[]): void {
    for (const [limit, key] of spent) counters[limit].add(key, clock.now(), limits[limit].windowSeconds);
  }

  function counting(known: Counters): GuessCounting {
    return {
      hash,
      admit,
      count,
      isKnown: (pair) => known.read(pair, clock.now()).count > 0,
      remember: (pair) => known.renew(pair, clock.now(), KNOWN_FOR_SECONDS),
    };
  }

  const passwords = counting(createCounters());
  const password = { pair: 'password-by-account-and-place', subject: 'password-by-account' } as const;

  return {
    passwords: createGuesses({ ...password, place: 'password-by-address' }, passwords),
    passwordsByClient: createGuesses({ ...password, place: 'password-by-client', behindPlace: 'password-by-address-of-clients' }, passwords),
    clientSecrets: createGuesses(
      { pair: 'client-secret-by-client-and-address', subject: 'client-secret-by-client', place: 'client-secret-by-address' },
      counting(createCounters()),
    ),

    spend(limit, key) {
      const spent: readonly Spending[] = [[limit, hash(key)]];
      admit(spent);
      count(spent);
    },

    refusals: () => ({ ...refusals }),
  };
}
