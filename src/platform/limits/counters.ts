import { createHmac } from 'node:crypto';

/** Where a key is counted, and all that is kept of it. */
export interface HashedKey {
  readonly bucketStart: number;
  readonly tag: bigint;
}

/** Hashes keys under a key that nobody knows: who wants to push somebody's count out of a table cannot aim. */
export function keyHasher(hashKey: Buffer): (key: string) => HashedKey {
  return (key) => {
    const digest = createHmac('sha256', hashKey).update(key).digest();
    return { bucketStart: (digest.readUInt32LE(0) % (CAPACITY / WAYS)) * WAYS, tag: digest.readBigUInt64LE(8) };
  };
}

/** Counts by key, each within a window of time, in memory that never grows. */
export interface Counters {
  /**
   * What `key` came to within its window that is not over at `now`, and when that is (both in milliseconds); 0 and 0
   * when there is none.
   */
  read(key: HashedKey, now: number): { readonly count: number; readonly endsAt: number };
  /** Adds one; the first one opens a window of `windowSeconds`. */
  add(key: HashedKey, now: number, windowSeconds: number): void;
  /** Adds one, and has the window end `windowSeconds` from now, whenever it was opened. */
  renew(key: HashedKey, now: number, windowSeconds: number): void;
  /** How many windows are open: never more than `CAPACITY`. */
  openWindows(now: number): number;
}

const NO_COUNT = Object.freeze({ count: 0, endsAt: 0 });
const WAYS = 8;
/** 20 bytes each, 1.3 MB a table, allocated when it first counts: a million callers cost as much as one. */
export const CAPACITY = 65_536;

/**
 * Keys go into buckets of eight, and in a full one the newcomer takes the place of the lowest count. So one caller is
 * never taken for another, and what the table forgets first is what came closest to nothing.
 */
export function createCounters(): Counters {
  let tags = new BigUint64Array(0);
  let counts = new Uint32Array(0);
  let ends = new Float64Array(0);

  function allocate(): void {
    tags = new BigUint64Array(CAPACITY);
    counts = new Uint32Array(CAPACITY);
    ends = new Float64Array(CAPACITY);
  }

  function find({ bucketStart: first, tag }: HashedKey, now: number): number | undefined {
    for (let slot = first; slot < first + WAYS; slot += 1) {
      if (tags[slot] === tag && isOpen(slot, now)) return slot;
    }
    return undefined;
  }

  function isOpen(slot: number, now: number): boolean {
    return (ends[slot] ?? 0) > now;
  }

  /** A free slot, or the one whose loss matters least. */
  function leastWorth(first: number, now: number): number {
    let least = first;
    for (let slot = first; slot < first + WAYS; slot += 1) {
      if (worth(slot, now) < worth(least, now)) least = slot;
    }
    return least;
  }

  function worth(slot: number, now: number): number {
    return isOpen(slot, now) ? (counts[slot] ?? 0) : 0;
  }

  /** Counts one; the slot that it was counted in. */
  function count(key: HashedKey, now: number, windowSeconds: number): number {
    const found = find(key, now);
    if (found !== undefined) {
      counts[found] = Math.min((counts[found] ?? 0) + 1, 0xffff_ffff);
      return found;
    }
    if (tags.length === 0) allocate();
    const slot = leastWorth(key.bucketStart, now);
    tags[slot] = key.tag;
    counts[slot] = 1;
    ends[slot] = now + windowSeconds * 1000;
    return slot;
  }

  return {
    read(key, now) {
      const slot = find(key, now);
      return slot === undefined ? NO_COUNT : { count: counts[slot] ?? 0, endsAt: ends[slot] ?? 0 };
    },

    add: (key, now, windowSeconds) => void count(key, now, windowSeconds),

    renew(key, now, windowSeconds) {
      ends[count(key, now, windowSeconds)] = now + windowSeconds * 1000;
    },

    openWindows: (now) => ends.reduce((open, endsAt) => (endsAt > now ? open + 1 : open), 0),
  };
}
