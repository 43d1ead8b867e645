import { LRUCache } from 'lru-cache';
import type { Ticks } from '../ports.ts';
import { EgressError, isLocalLimit } from './egress-failed.ts';

/** The text of a document, and the header that determines how long it may be cached. */
export interface FetchedDocument {
  readonly text: string;
  readonly cacheControl: string | undefined;
}

/**
 * Caches documents, and failures to fetch them, for a limited time. Concurrent requests for the same document share
 * one fetch.
 */
export interface ResponseCache {
  /**
   * Returns the document with this key. Calls `fetch` unless the result is in the cache, or is being fetched.
   * @param onCached called if the result is in the cache, or is being fetched
   */
  get(key: string, fetch: () => Promise<FetchedDocument>, onCached: () => void): Promise<string>;
}

const MAX_ENTRIES = 1_000;
const MAX_CHARACTERS = 8_388_608;
/** Short, so that developers can correct a document and try again. */
const FAILURE_SECONDS = 15;
const DEFAULT_SECONDS = 60;
/** With a shorter time, the server could fetch a document twice for the same page; a longer time would hide changes. */
const MIN_SECONDS = 15;
const MAX_SECONDS = 3_600;

type Result = ({ readonly text: string } | { readonly failure: EgressError }) & {
  /** In ticks. */
  readonly expiresAt: number;
};

export function createResponseCache(ticks: Ticks): ResponseCache {
  const results = new LRUCache<string, Result>({
    max: MAX_ENTRIES,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (result) => ('text' in result ? result.text.length : 0) + 1,
  });
  const fetches = new Map<string, Promise<string>>();

  async function fetchOnce(key: string, fetch: () => Promise<FetchedDocument>): Promise<string> {
    try {
      const { text, cacheControl } = await fetch();
      results.set(key, { text, expiresAt: ticks() + lifetimeSeconds(cacheControl) * 1000 });
      return text;
    } catch (error) {
      if (error instanceof EgressError && !isLocalLimit(error.outcome))
        results.set(key, { failure: error, expiresAt: ticks() + FAILURE_SECONDS * 1000 });
      throw error;
    } finally {
      fetches.delete(key);
    }
  }

  function findCurrent(key: string): Result | undefined {
    const result = results.get(key);
    return result !== undefined && ticks() < result.expiresAt ? result : undefined;
  }

  return {
    async get(key, fetch, onCached) {
      const cachedResult = findCurrent(key);
      const pending = fetches.get(key);
      if (cachedResult !== undefined || pending !== undefined) onCached();
      if (cachedResult !== undefined && 'failure' in cachedResult) throw cachedResult.failure;
      if (cachedResult !== undefined) return cachedResult.text;
      if (pending !== undefined) return pending;
      const promise = fetchOnce(key, fetch);
      fetches.set(key, promise);
      return promise;
    },
  };
}

/** Returns how long a response may be cached (RFC 9111 §5.2.2), within bounds. */
export function lifetimeSeconds(cacheControl = ''): number {
  if (/(?:^|[\s,])no-(?:store|cache)\b/i.test(cacheControl)) return MIN_SECONDS;
  const maxAge = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(cacheControl)?.[1];
  if (maxAge === undefined) return DEFAULT_SECONDS;
  return Math.min(Math.max(Number(maxAge), MIN_SECONDS), MAX_SECONDS);
}
