import { hash } from 'node:crypto';

/** The sender of a proof: a client, or a caller on its behalf. */
export interface ProofSender {
  /** The id of the client that sent the request (unproven if public), or to which the access token was issued. */
  readonly client: string;
  /** The access token, or the address of a request from a public client; undefined for an authenticated client. */
  readonly caller: string | undefined;
}

/** The limit that was reached: the caller's or client's share of the table of used proofs, or its total (`server`). */
export type FullShare = 'caller' | 'client' | 'server';

/** Counts proofs by client and by caller. */
export interface ProofShares {
  /**
   * Counts a proof from this sender in the period.
   * @returns the share that is full; undefined if the proof was counted
   */
  take(sender: ProofSender, period: number): FullShare | undefined;
  /** Forgets all proofs of the period. */
  forget(period: number): void;
  size(): number;
}

/** The part of the table that clients compete for. The rest is reserved for clients with few proofs. */
const COMMON_PART = 3 / 4;
/** A client may use this multiple of the free space in the common part. */
const FREE_SPACE_MULTIPLE = 3;
/** The part of a client's share that its callers compete for. */
const CALLERS_PART = 3 / 4;
/**
 * A client's guaranteed share is the size of the table divided by this. The reserved part has room for 100 such shares.
 */
const CLIENT_SHARE_DIVISOR = 400;
/** While a client's share is not full, a caller's guaranteed share is the size of the table divided by this. */
const CALLER_SHARE_DIVISOR = 40_000;
/** The number of buckets in which callers are counted, by hash, so that the counts take constant memory. */
const BUCKETS = 16_384;

interface Counts {
  readonly clients: Map<string, number>;
  readonly callers: Uint32Array;
  size: number;
}

/**
 * Divides a table of `max` proofs among clients, and the share of each client among its callers, so that a flood uses
 * up only the share of its sender. A single client can use more than half of the table while other clients do not need
 * the space.
 * @param salt random, so that attackers cannot choose callers that share a bucket with another caller
 */
export function createProofShares(max: number, salt: string): ProofShares {
  const totals = emptyCounts();
  const periods = new Map<number, Counts>();
  const clientMinimum = Math.floor(max / CLIENT_SHARE_DIVISOR);
  const callerMinimum = Math.floor(max / CALLER_SHARE_DIVISOR);

  function bucketOf({ client, caller }: ProofSender): number | undefined {
    if (caller === undefined) return undefined;
    return Number.parseInt(hash('sha256', `${salt} ${client} ${caller}`).slice(0, 8), 16) % BUCKETS;
  }

  function findFullShare(client: string, bucket: number | undefined): FullShare | undefined {
    if (totals.size >= max) return 'server';
    const clientCount = totals.clients.get(client) ?? 0;
    const share = Math.max(clientMinimum, FREE_SPACE_MULTIPLE * (max * COMMON_PART - totals.size));
    if (clientCount >= share) return 'client';
    const isLargeCaller = bucket !== undefined && (totals.callers[bucket] ?? 0) >= callerMinimum;
    return isLargeCaller && clientCount >= share * CALLERS_PART ? 'caller' : undefined;
  }

  return {
    take(sender, period) {
      const { client } = sender;
      const bucket = bucketOf(sender);
      const fullShare = findFullShare(client, bucket);
      if (fullShare !== undefined) return fullShare;
      const counts = periods.get(period) ?? emptyCounts();
      periods.set(period, counts);
      for (const tally of [totals, counts]) {
        tally.size += 1;
        tally.clients.set(client, (tally.clients.get(client) ?? 0) + 1);
        if (bucket !== undefined) tally.callers[bucket] = (tally.callers[bucket] ?? 0) + 1;
      }
      return undefined;
    },

    forget(period) {
      const counts = periods.get(period);
      if (counts === undefined) return;
      periods.delete(period);
      totals.size -= counts.size;
      for (const [client, count] of counts.clients) {
        const remainingCount = (totals.clients.get(client) ?? 0) - count;
        if (remainingCount > 0) totals.clients.set(client, remainingCount);
        else totals.clients.delete(client);
      }
      counts.callers.forEach((count, bucket) => {
        totals.callers[bucket] = (totals.callers[bucket] ?? 0) - count;
      });
    },

    size: () => totals.size,
  };
}

function emptyCounts(): Counts {
  return { clients: new Map(), callers: new Uint32Array(BUCKETS), size: 0 };
}
