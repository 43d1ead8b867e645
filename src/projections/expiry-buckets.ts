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
  let oldest = Infinity;

  return {
    add(key, expiresAt) {
      const hour = hourOf(expiresAt);
      const bucket = buckets.get(hour);
      if (bucket === undefined) buckets.set(hour, [key]);
      else bucket.push(key);
      if (hour < oldest) oldest = hour;
    },

    expire(now, forget) {
      const current = hourOf(now);
      if (oldest >= current) return;
      for (const [hour, keys] of buckets) {
        if (hour >= current) continue;
        keys.forEach(forget);
        buckets.delete(hour);
      }
      oldest = Math.min(Infinity, ...buckets.keys());
    },
  };
}
