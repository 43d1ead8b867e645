/** Keys that go at a known time, let go an hour's worth at once: no sweep over everything ever. */
export interface ExpiryBuckets<Key> {
  add(key: Key, expiresAt: number): void;
  /** Calls `forget` for every key of the hours that lie wholly before `now` (seconds since the epoch). */
  expire(now: number, forget: (key: Key) => void): void;
}

const BUCKET_SECONDS = 3_600;

export function createExpiryBuckets<Key>(): ExpiryBuckets<Key> {
  const buckets = new Map<number, Key[]>();
  let oldest = Infinity;

  return {
    add(key, expiresAt) {
      const hour = Math.floor(expiresAt / BUCKET_SECONDS);
      const bucket = buckets.get(hour);
      if (bucket === undefined) buckets.set(hour, [key]);
      else bucket.push(key);
      if (hour < oldest) oldest = hour;
    },

    expire(now, forget) {
      const current = Math.floor(now / BUCKET_SECONDS);
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
