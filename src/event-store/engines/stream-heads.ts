import { LRUCache } from 'lru-cache';
import { isWorthCaching } from '../event-log.ts';
import type { AppendResult, ExpectedRevision, Revision, StreamName } from '../event-log.ts';

/** 0 before the first event. */
export type Head = Revision | 0;

/** An append that was admitted and is not durable yet. */
interface PendingAppend {
  readonly head: Revision;
  readonly durable: Promise<AppendResult>;
}

/** What `stored` must answer about durable streams. */
export interface StoredHeads {
  /** The revision of the last event; 0 when there is none. */
  lastRevision(stream: StreamName): Promise<Head>;
  /** The same, synchronous and cheap, where few appends made the stream or none: 0 if an append at `expected` may take it that nobody ever wrote there. */
  lastRevisionSync(stream: StreamName, expected: ExpectedRevision): Head | undefined;
}

/** The head of every stream, pending appends included, as far as it fits in memory. */
export interface StreamHeads {
  /** The head for an append at `expected`, or undefined when it has to be `load`ed first. Synchronous: what is decided on it cannot be overtaken. */
  find(stream: StreamName, expected: ExpectedRevision): Head | undefined;
  /** The same of a stream that other streams' appends are based on: it is kept, for many are based on the same few. */
  findDependency(stream: StreamName, expected: Revision): Head | undefined;
  load(stream: StreamName): Promise<void>;
  pending(stream: StreamName): PendingAppend | undefined;
  admit(stream: StreamName, append: PendingAppend): void;
  /** The stream was read up to there: who reads it is likely to append. */
  observe(stream: StreamName, head: Revision): void;
  /** The head became durable. */
  settle(stream: StreamName, head: Revision): void;
}

/** About 20 MB of names and numbers. */
const CACHED_HEADS = 100_000;

export function createStreamHeads(stored: StoredHeads): StreamHeads {
  const pending = new Map<StreamName, PendingAppend>();
  const durable = new LRUCache<StreamName, Head>({ max: CACHED_HEADS });
  const loading = new Map<StreamName, Promise<void>>();

  async function loadStored(stream: StreamName): Promise<void> {
    try {
      durable.set(stream, await stored.lastRevision(stream));
    } finally {
      loading.delete(stream);
    }
  }

  const held = (stream: StreamName): Head | undefined => pending.get(stream)?.head ?? durable.get(stream);
  const stands = (stream: StreamName, expected: ExpectedRevision): Head | undefined =>
    loading.has(stream) ? undefined : stored.lastRevisionSync(stream, expected);

  return {
    find: (stream, expected) => held(stream) ?? (expected === 'new-stream' ? 0 : stands(stream, expected)),

    findDependency(stream, expected) {
      const known = held(stream);
      if (known !== undefined) return known;
      const head = stands(stream, expected);
      if (head !== undefined) durable.set(stream, head);
      return head;
    },

    /** One look-up for all who wait: nobody is admitted to the stream meanwhile, so its result is never stale. */
    load(stream) {
      const underWay = loading.get(stream) ?? loadStored(stream);
      loading.set(stream, underWay);
      return underWay;
    },

    pending: (stream) => pending.get(stream),

    admit(stream, append) {
      pending.set(stream, append);
    },

    /** What was appended during the reading is known already, and newer. */
    observe(stream, head) {
      if (!pending.has(stream) && !durable.has(stream)) durable.set(stream, head);
    },

    settle(stream, head) {
      if (isWorthCaching(head) || durable.has(stream)) durable.set(stream, head);
      if (pending.get(stream)?.head === head) pending.delete(stream);
    },
  };
}
