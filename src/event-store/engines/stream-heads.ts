import { LRUCache } from 'lru-cache';
import { isWorthCaching } from '../event-log.ts';
import type { AppendResult, ExpectedRevision, Revision, StreamName } from '../event-log.ts';

/** The revision of a stream's last event, or 0 before the first one. */
export type Head = Revision | 0;

/** An append that was accepted but is not durable yet. */
interface PendingAppend {
  readonly head: Revision;
  readonly result: Promise<AppendResult>;
}

/** Looks up the heads of stored streams. */
export interface StoredHeads {
  /** Returns the revision of the last event, or 0 if the stream is empty. */
  lastRevision(stream: StreamName): Promise<Head>;
  /**
   * Like `lastRevision`, but synchronous, for streams with few appends or none. Returns undefined for other streams,
   * and 0 if an append at `expected` may assume that the stream has never been used.
   */
  lastRevisionSync(stream: StreamName, expected: ExpectedRevision): Head | undefined;
}

/** The head of every stream, including pending appends. Caches the most recently used heads. */
export interface StreamHeads {
  /**
   * Returns the head for an append at `expected`, or undefined if it must be loaded first. Synchronous, so that no
   * other append can happen before the caller uses the result.
   */
  find(stream: StreamName, expected: ExpectedRevision): Head | undefined;
  /**
   * Returns the head of a stream that other streams' appends are based on. Caches it, because many appends depend on
   * the same few streams.
   */
  findDependency(stream: StreamName, expected: Revision): Head | undefined;
  load(stream: StreamName): Promise<void>;
  findPending(stream: StreamName): PendingAppend | undefined;
  admit(stream: StreamName, append: PendingAppend): void;
  /** Caches the head after the stream has been read: the reader is likely to append. */
  observe(stream: StreamName, head: Revision): void;
  /** Marks the head as durable. */
  settle(stream: StreamName, head: Revision): void;
}

/** About 20 MB. */
const MAX_CACHED_HEADS = 100_000;

export function createStreamHeads(storedHeads: StoredHeads): StreamHeads {
  const pendingAppends = new Map<StreamName, PendingAppend>();
  // `max` would allocate memory for all entries in advance.
  const durableHeads = new LRUCache<StreamName, Head>({ maxSize: MAX_CACHED_HEADS, sizeCalculation: () => 1 });
  const pendingLookups = new Map<StreamName, Promise<void>>();

  async function loadStored(stream: StreamName): Promise<void> {
    try {
      durableHeads.set(stream, await storedHeads.lastRevision(stream));
    } finally {
      pendingLookups.delete(stream);
    }
  }

  const findCached = (stream: StreamName): Head | undefined =>
    pendingAppends.get(stream)?.head ?? durableHeads.get(stream);
  const lookUp = (stream: StreamName, expected: ExpectedRevision): Head | undefined =>
    pendingLookups.has(stream) ? undefined : storedHeads.lastRevisionSync(stream, expected);

  return {
    find: (stream, expected) => findCached(stream) ?? (expected === 'new-stream' ? 0 : lookUp(stream, expected)),

    findDependency(stream, expected) {
      const cachedHead = findCached(stream);
      if (cachedHead !== undefined) return cachedHead;
      const head = lookUp(stream, expected);
      if (head !== undefined) durableHeads.set(stream, head);
      return head;
    },

    /** Concurrent callers share one lookup. No append is accepted during the lookup, so its result is never stale. */
    load(stream) {
      const lookup = pendingLookups.get(stream) ?? loadStored(stream);
      pendingLookups.set(stream, lookup);
      return lookup;
    },

    findPending: (stream) => pendingAppends.get(stream),

    admit(stream, append) {
      pendingAppends.set(stream, append);
    },

    /** Caches the head, unless a head is already cached: appends during the read have cached a newer one. */
    observe(stream, head) {
      if (!pendingAppends.has(stream) && !durableHeads.has(stream)) durableHeads.set(stream, head);
    },

    settle(stream, head) {
      if (isWorthCaching(head) || durableHeads.has(stream)) durableHeads.set(stream, head);
      if (pendingAppends.get(stream)?.head === head) pendingAppends.delete(stream);
    },
  };
}
