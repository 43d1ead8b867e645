/** Keys that go at a known time, let go an hour's worth at once: no sweep over everything ever. */
export interface ExpiryBuckets<Key> {
  add(key: Key, expiresAt: number): void;
  /** Calls `forget` for every key of the hours that lie wholly before `now` (seconds since the epoch). */
  expire(now: number, forget: (key: Key) => void): void;
}

const BUCKET_SECONDS = 3_600;

const hourOf = (seconds: number): number => Math.floor(seconds / BUCKET_SECONDS);

/** Whether `expire` at `now` lets go of a key that goes at `expiresAt`. */
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
