import type { KeyObject } from 'node:crypto';
import { message } from '../../language/message.ts';
import { createCounters, keyHasher } from '../limits/counters.ts';
import type { Ticks } from '../ports.ts';
import { EgressError } from './egress-failed.ts';

/** The maximum number of requests for a purpose per minute, for each host and in total. */
export interface Rate {
  readonly perHost: number;
  readonly overall: number;
}

/** Limits concurrent requests and requests per minute, in total, for each purpose and for each host. */
export interface HostLimits {
  /**
   * Admits a request, and returns a function to call when the request is over.
   * @throws EgressError with the outcome `overloaded` or `rate-limited`; a later request may be admitted
   */
  enter(purpose: string, host: string, rate: Rate): () => void;
}

const MAX_CONCURRENT = 128;
/** Fewer than `MAX_CONCURRENT`, so that slow hosts of one purpose leave room for the other purposes. */
const MAX_CONCURRENT_PER_PURPOSE = 64;
/** Even fewer, so that one slow host leaves room for other hosts. */
const MAX_CONCURRENT_PER_HOST = 8;
const WINDOW_SECONDS = 60;

/**
 * Creates the limits. All counts start at zero.
 * @param key used to hash host names, so that nobody can choose names that evict another host's count
 */
export function createHostLimits(ticks: Ticks, key: KeyObject): HostLimits {
  const hash = keyHasher(key);
  const counters = createCounters();
  const hosts = createTally();
  const purposes = createTally();
  let activeTotal = 0;

  function count(name: string, max: number): void {
    const [hashedName, now] = [hash(name), ticks()];
    const { count: currentCount, endsAt } = counters.read(hashedName, now);
    if (currentCount >= max) {
      const seconds = Math.ceil((endsAt - now) / 1000);
      throw new EgressError('rate-limited', message('egress.rate-limited', { seconds }));
    }
    counters.add(hashedName, now, WINDOW_SECONDS);
  }

  return {
    enter(purpose, host, rate) {
      const isBusy =
        activeTotal >= MAX_CONCURRENT ||
        purposes.count(purpose) >= MAX_CONCURRENT_PER_PURPOSE ||
        hosts.count(host) >= MAX_CONCURRENT_PER_HOST;
      if (isBusy) throw new EgressError('overloaded', message('egress.busy'));
      count(`${purpose} ${host}`, rate.perHost);
      count(purpose, rate.overall);
      const change = (difference: 1 | -1): void => {
        hosts.add(host, difference);
        purposes.add(purpose, difference);
        activeTotal += difference;
      };
      change(1);
      return () => change(-1);
    },
  };
}

/** Counts requests in progress by name. */
function createTally() {
  const counts = new Map<string, number>();
  return {
    count: (name: string): number => counts.get(name) ?? 0,
    add(name: string, change: 1 | -1): void {
      const count = (counts.get(name) ?? 0) + change;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
    },
  };
}
