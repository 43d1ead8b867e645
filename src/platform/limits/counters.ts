import { createHmac, type KeyObject } from 'node:crypto';

/** The hash of a key. It determines the bucket in which the key is counted. */
export interface HashedKey {
  readonly bucketStart: number;
  readonly tag: bigint;
}

/** Hashes keys with a secret, so that attackers cannot choose keys that evict another key's count. */
export function keyHasher(hashKey: KeyObject): (key: string) => HashedKey {
  return (key) => hashedKey(createHmac('sha256', hashKey).update(key).digest().readBigUInt64LE());
}

/** Returns the hash with this tag. The tag determines the bucket. */
export function hashedKey(tag: bigint): HashedKey {
  return { bucketStart: Number(tag % BUCKETS) * WAYS, tag };
}

/** Counts actions by key within time windows, in constant memory. */
export interface Counters {
  /**
   * Returns the count in the open window of `key`, and the end of the window in milliseconds. Both are 0 if no window
   * is open.
   */
  read(key: HashedKey, now: number): { readonly count: number; readonly endsAt: number };
  /**
   * Adds `times` (one by default) to the count, and opens a window of `windowSeconds` if none is open.
   * @returns the end of the window in milliseconds
   */
  add(key: HashedKey, now: number, windowSeconds: number, times?: number): number;
  /** Adds one to the count, and sets the window to end `windowSeconds` from now. */
  renew(key: HashedKey, now: number, windowSeconds: number): void;
  /** Returns the number of open windows, at most `CAPACITY`. */
  openWindows(now: number): number;
}

const NO_COUNT = Object.freeze({ count: 0, endsAt: 0 });
const WAYS = 8;
/** The number of entries in a table. Each takes 20 bytes. The first count allocates the table, which takes 1.3 MB. */
export const CAPACITY = 65_536;
const BUCKETS = BigInt(CAPACITY / WAYS);

/**
 * Creates a table of buckets with eight entries each. In a full bucket, a new key replaces the key with the lowest
 * count, so high counts are evicted last. Different keys never share an entry.
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

  function find({ bucketStart, tag }: HashedKey, now: number): number | undefined {
    for (let slot = bucketStart; slot < bucketStart + WAYS; slot += 1) {
      if (tags[slot] === tag && isOpen(slot, now)) return slot;
    }
    return undefined;
  }

  function isOpen(slot: number, now: number): boolean {
    return (ends[slot] ?? 0) > now;
  }

  /** Returns a free slot, or the one with the lowest count. */
  function lowestCountSlot(bucketStart: number, now: number): number {
    let lowestSlot = bucketStart;
    for (let slot = bucketStart; slot < bucketStart + WAYS; slot += 1) {
      if (countIn(slot, now) < countIn(lowestSlot, now)) lowestSlot = slot;
    }
    return lowestSlot;
  }

  function countIn(slot: number, now: number): number {
    return isOpen(slot, now) ? (counts[slot] ?? 0) : 0;
  }

  /** Adds `times` to the count of the key, and returns its slot. */
  function count(key: HashedKey, now: number, windowSeconds: number, times = 1): number {
    const openSlot = find(key, now);
    if (openSlot !== undefined) {
      counts[openSlot] = Math.min((counts[openSlot] ?? 0) + times, 0xffff_ffff);
      return openSlot;
    }
    if (tags.length === 0) allocate();
    const slot = lowestCountSlot(key.bucketStart, now);
    tags[slot] = key.tag;
    counts[slot] = times;
    ends[slot] = now + windowSeconds * 1000;
    return slot;
  }

  return {
    read(key, now) {
      const slot = find(key, now);
      return slot === undefined ? NO_COUNT : { count: counts[slot] ?? 0, endsAt: ends[slot] ?? 0 };
    },

    add(key, now, windowSeconds, times) {
      const slot = count(key, now, windowSeconds, times);
      return ends[slot] ?? 0;
    },

    renew(key, now, windowSeconds) {
      ends[count(key, now, windowSeconds)] = now + windowSeconds * 1000;
    },

    openWindows: (now) => ends.reduce((total, endsAt) => (endsAt > now ? total + 1 : total), 0),
  };
}
