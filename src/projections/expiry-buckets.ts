/** Removes expired keys, one hour at a time, without scanning all keys. */
export interface ExpiryBuckets<Key> {
  add(key: Key, expiresAt: number): void;
  /** Calls `forget` for every key that expired in an hour that ended before `now` (seconds since the epoch). */
  expire(now: number, forget: (key: Key) => void): void;
}

const BUCKET_SECONDS = 3_600;

const hourOf = (seconds: number): number => Math.floor(seconds / BUCKET_SECONDS);

/** Reports whether `expire` at `now` forgets a key that expires at `expiresAt`. */
export function isInExpiredBucket(expiresAt: number, now: number): boolean {
  return hourOf(expiresAt) < hourOf(now);
}

export function createExpiryBuckets<Key>(): ExpiryBuckets<Key> {
  const buckets = new Map<number, Key[]>();
  let oldestHour = Infinity;

  return {
    add(key, expiresAt) {
      const hour = hourOf(expiresAt);
      const bucket = buckets.get(hour);
      if (bucket === undefined) buckets.set(hour, [key]);
      else bucket.push(key);
      if (hour < oldestHour) oldestHour = hour;
    },

    expire(now, forget) {
      const currentHour = hourOf(now);
      if (oldestHour >= currentHour) return;
      for (const [hour, keys] of buckets) {
        if (hour >= currentHour) continue;
        keys.forEach(forget);
        buckets.delete(hour);
      }
      oldestHour = Math.min(Infinity, ...buckets.keys());
    },
  };
}
