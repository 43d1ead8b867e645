import { LRUCache } from 'lru-cache';
import type { ClientKey } from '../../domain/client-authentication.ts';
import { EgressError, isLocalLimit } from '../../platform/egress/egress-failed.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { Text } from '../../language/message.ts';
import { readPublishedKeys } from './client-keys.ts';

/** The result of a search for keys of a client or provider. */
export interface KeySearchResult {
  readonly matchingKeys: readonly ClientKey[];
  /** All keys of the client or provider, for error messages. */
  readonly allKeys: readonly ClientKey[];
  /** Why the key set could not be read, as the end of a sentence that starts with its URI; null if it was read. */
  readonly problem: Text | null;
}

/** Reads and caches the key sets that clients and providers publish at their `jwks_uri` (RFC 7591 §2). */
export interface PublishedKeys {
  /**
   * Returns the keys in the document at `uri` that `matches` accepts. The document is read again if it is outdated or
   * if no key matches (the client may have added one), but never before the minimum interval has passed. Problems with
   * the document do not cause a rejection: while it cannot be read, the keys read last remain in use for up to a day.
   */
  find(uri: string, matches: (key: ClientKey) => boolean): Promise<KeySearchResult>;
}

/** The interval after a success. Requests with unknown keys cannot make the server read a document more often. */
const MIN_INTERVAL_SECONDS = 60;
/** The interval after a failure is short, because developers correct a document and try again. */
const RETRY_SECONDS = 15;
/** The interval after this server was too busy to send the request. The document itself may be fine. */
const BUSY_SECONDS = 1;
/** A key that the client removed is accepted for at most this long while the document can be read. */
const MAX_FRESH_SECONDS = 3_600;
/** How long keys remain in use after they were read, so that an outage of the client's server does not lock it out. */
const MAX_AGE_SECONDS = 86_400;
/** Limits memory use. A document counts as four keys in addition to its own, so there are at most 5,000 documents. */
const MAX_KEYS = 20_000;
const DOCUMENT_OVERHEAD_IN_KEYS = 4;

/** All times are in ticks, which are milliseconds. */
interface KeySet {
  readonly keys: readonly ClientKey[];
  /** Why the latest attempt failed, as the end of a sentence that starts with the URI. */
  readonly problem: Text | null;
  /** When the document was last read; undefined if it never was. */
  readonly readAt: number | undefined;
  readonly freshUntil: number;
  readonly nextAttemptAt: number;
}

const UNREAD_KEY_SET: KeySet = {
  keys: [],
  problem: null,
  readAt: undefined,
  freshUntil: -Infinity,
  nextAttemptAt: -Infinity,
};

export function createPublishedKeys(egress: Pick<Egress, 'readJson'>, ticks: Ticks): PublishedKeys {
  const sets = new LRUCache<string, KeySet>({
    maxSize: MAX_KEYS, // `max` would allocate memory for all entries at every startup
    sizeCalculation: ({ keys }) => keys.length + DOCUMENT_OVERHEAD_IN_KEYS,
  });
  const pendingRefreshes = new Map<string, Promise<void>>();

  async function readDocument(uri: string): Promise<Omit<KeySet, 'nextAttemptAt'> & { readonly retrySeconds: number }> {
    const previous = sets.peek(uri) ?? UNREAD_KEY_SET;
    try {
      const { document, lifetimeSeconds } = await egress.readJson('key-set', uri);
      const result = await readPublishedKeys(document);
      if ('problem' in result) return { ...previous, problem: result.problem, retrySeconds: RETRY_SECONDS };
      const freshSeconds = Math.min(Math.max(lifetimeSeconds, MIN_INTERVAL_SECONDS), MAX_FRESH_SECONDS);
      const [{ keys }, readAt] = [result, ticks()];
      const freshUntil = readAt + freshSeconds * 1000;
      return { keys, problem: null, readAt, freshUntil, retrySeconds: MIN_INTERVAL_SECONDS };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const retrySeconds = isLocalLimit(error.outcome) ? BUSY_SECONDS : RETRY_SECONDS;
      return { ...previous, problem: error.problem, retrySeconds };
    }
  }

  async function refresh(uri: string): Promise<void> {
    try {
      const { retrySeconds, ...set } = await readDocument(uri);
      sets.set(uri, { ...set, nextAttemptAt: ticks() + retrySeconds * 1000 });
    } catch (error) {
      // After any error, callers must not be able to repeat the request immediately.
      sets.set(uri, { ...(sets.peek(uri) ?? UNREAD_KEY_SET), nextAttemptAt: ticks() + RETRY_SECONDS * 1000 });
      throw error;
    } finally {
      pendingRefreshes.delete(uri);
    }
  }

  function refreshOnce(uri: string): Promise<void> {
    const pendingRefresh = pendingRefreshes.get(uri) ?? refresh(uri);
    pendingRefreshes.set(uri, pendingRefresh);
    return pendingRefresh;
  }

  function lookUp(uri: string, matches: (key: ClientKey) => boolean): KeySearchResult & { readonly isFinal: boolean } {
    const set = sets.get(uri) ?? UNREAD_KEY_SET;
    const now = ticks();
    const isUsable = set.readAt !== undefined && now < set.readAt + MAX_AGE_SECONDS * 1000;
    const allKeys = isUsable ? set.keys : [];
    const matchingKeys = allKeys.filter(matches);
    const isFresh = matchingKeys.length > 0 && now < set.freshUntil;
    const mayRefresh = pendingRefreshes.has(uri) || now >= set.nextAttemptAt;
    return { matchingKeys, allKeys, problem: set.problem, isFinal: isFresh || !mayRefresh };
  }

  return {
    async find(uri, matches) {
      const cached = lookUp(uri, matches);
      if (cached.isFinal) return cached;
      await refreshOnce(uri);
      return lookUp(uri, matches);
    },
  };
}
