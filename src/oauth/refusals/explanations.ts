import { LRUCache } from 'lru-cache';
import { countOccurrence, emptyHistory, periodsUpTo, type PeriodCounts } from '../../domain/recent-counts.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import { english } from '../../language/english.ts';
import { isMessage, type Message } from '../../language/message.ts';
import { headlineOf } from './headlines.ts';
import { explain, REFUSAL_RULES } from './refusal-messages.ts';
import type { Refusal, RefusalRule } from './refusal.ts';
import type { Messages } from './messages.ts';

/** A refused request. */
export interface RefusedRequest {
  /** The `X-Request-Id` of the response. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** The error code that the caller got, such as `invalid_grant`; null if the response had none. */
  readonly error: string | null;
  /** The registered client that the request concerns; null if unknown. */
  readonly clientId: string | null;
  /** Whether the request authenticated that client or its owner. Otherwise, it only claimed the client's id. */
  readonly isProven: boolean;
  readonly refusal: Refusal;
}

/** A refused request with its explanation. */
export interface Explanation extends Omit<RefusedRequest, 'refusal'> {
  readonly rule: RefusalRule;
  /** A description of the refusal in a few words. */
  readonly headline: Message;
  readonly messages: Messages;
  /** The other members of the refusal, keyed by name. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Explains the latest refused requests. These are retained in memory, and some of them in a store, but never in the
 * log. Requests that authenticate a client and requests that only claim its id are retained separately, so that the
 * latter cannot displace the former.
 */
export interface Explanations {
  record(request: RefusedRequest): void;
  /** Records a request that another node refused. `history` and `counts` exclude it. */
  recordFromOtherNode(request: RefusedRequest): void;
  find(id: string): Explanation | undefined;
  /** Returns the explanations for the client, newest first. */
  listByClient(clientId: string): readonly Explanation[];
  /** Returns the retained requests, in no particular order, without their explanations. */
  requests(): readonly RefusedRequest[];
  /** Returns the explanations for all clients, newest first. */
  recent(): readonly Explanation[];
  /** Returns the explanations of the latest `count` requests that match, newest first. Explains no other requests. */
  newest(count: number, matches: (request: RefusedRequest) => boolean): readonly Explanation[];
  /** Returns the number of requests that this node has refused since startup, by period. */
  history(now: EpochSeconds): PeriodCounts;
  /** Returns the number of requests that each rule has refused on this node since startup. */
  counts(): Readonly<Record<RefusalRule, number>>;
}

/**
 * The maximum number of retained requests (per authenticated client, per client that did not authenticate, and without
 * a client), and the maximum number of clients.
 */
export const RETAINED_REFUSALS = { proven: 50, named: 20, rest: 500, clients: 1_000 } as const;

/**
 * The maximum number of stored requests in total and per client, and of writes per second, so that a flood of refusals
 * neither fills nor wears out the disk. Unauthenticated requests cannot displace requests of authenticated clients.
 */
export const STORED_REFUSALS = {
  proven: { slots: 1_000, perClient: 50, perSecond: 30 },
  named: { slots: 300, perClient: 20, perSecond: 10 },
  rest: { slots: 200, perClient: 200, perSecond: 5 },
} as const;

/** The latest requests, oldest first. There are so few that an array is fast enough. */
type Ring = RefusedRequest[];

/** Storage for refusals that survives a restart. */
export interface RefusalStorage {
  /** The refusals from earlier runs, oldest first. */
  readonly earlierRequests: readonly RefusedRequest[];
  add(request: RefusedRequest): void;
}

export function createExplanations(store: RefusalStorage = { earlierRequests: [], add: () => {} }): Explanations {
  // Two caches, so that requests that claim the ids of many clients cannot evict the authenticated requests.
  // `maxSize` limits them, because `max` would allocate memory for all entries at every startup.
  const limits = { maxSize: RETAINED_REFUSALS.clients, sizeCalculation: () => 1 };
  const provenRings = new LRUCache<string, Ring>(limits);
  const namedRings = new LRUCache<string, Ring>(limits);
  const otherRequests: Ring = [];
  const history = emptyHistory();
  const counts = Object.fromEntries(REFUSAL_RULES.map((rule) => [rule, 0])) as Record<RefusalRule, number>;

  function findOrCreateRing(rings: LRUCache<string, Ring>, clientId: string): Ring {
    const ring = rings.get(clientId) ?? [];
    rings.set(clientId, ring);
    return ring;
  }

  function add(ring: Ring, request: RefusedRequest, limit: number): void {
    ring.push(request);
    if (ring.length > limit) ring.shift();
  }

  const allRequests = (): RefusedRequest[] => [...provenRings.values(), ...namedRings.values(), otherRequests].flat();

  function retain(request: RefusedRequest): void {
    const { clientId, isProven } = request;
    if (clientId === null) add(otherRequests, request, RETAINED_REFUSALS.rest);
    else if (isProven) add(findOrCreateRing(provenRings, clientId), request, RETAINED_REFUSALS.proven);
    else add(findOrCreateRing(namedRings, clientId), request, RETAINED_REFUSALS.named);
  }

  function retainAndStore(request: RefusedRequest): void {
    retain(request);
    store.add(request);
  }

  for (const request of store.earlierRequests) retain(request);

  return {
    record(request) {
      counts[request.refusal.rule] += 1;
      countOccurrence(history, request.at);
      retainAndStore(request);
    },
    recordFromOtherNode: retainAndStore,

    find(id) {
      const match = allRequests().find((request) => request.id === id);
      return match === undefined ? undefined : toExplanation(match);
    },

    listByClient: (clientId) =>
      newestFirst([...(provenRings.peek(clientId) ?? []), ...(namedRings.peek(clientId) ?? [])]),
    requests: allRequests,
    recent: () => newestFirst(allRequests()),
    newest: (count, matches) => newestFirst(allRequests().filter(matches), count),
    history: (now) => periodsUpTo(now, history),
    counts: () => ({ ...counts }),
  };
}

/**
 * Returns the explanations of the latest requests, newest first. If requests from the same ring have the same time, the
 * one that was recorded last comes first.
 */
function newestFirst(requests: readonly RefusedRequest[], count = requests.length): readonly Explanation[] {
  return requests
    .toReversed()
    .toSorted((a, b) => b.at - a.at)
    .slice(0, count)
    .map(toExplanation);
}

/** Returns the explanation of a refused request, even if the request is not retained. */
export function toExplanation({ refusal, ...rest }: RefusedRequest): Explanation {
  const { rule, ...members } = refusal;
  // The commands and the API, which show these details, are in English.
  const details = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(inEnglish) : inEnglish(value),
    ]),
  );
  return { ...rest, rule, headline: headlineOf(refusal), messages: explain(refusal), details };
}

function inEnglish(value: unknown): unknown {
  return isMessage(value) ? english.text(value) : value;
}
