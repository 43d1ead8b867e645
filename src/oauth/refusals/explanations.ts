import { LRUCache } from 'lru-cache';
import { explain, REFUSAL_RULES } from './describe.ts';
import type { Refusal, RefusalRule } from './refusal.ts';
import type { Messages } from './messages.ts';

/** A refusal as it happened. */
export interface RefusedRequest {
  /** The request's id, as in the `X-Request-Id` of the answer. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** What the caller was told, such as `invalid_grant`; null where there is no such word. */
  readonly error: string | null;
  /** The registered client that it is about; null where none is known. */
  readonly clientId: string | null;
  /** Whether that client, or its owner, was proven to be behind the request; else somebody only named it. */
  readonly isProven: boolean;
  readonly refusal: Refusal;
}

/** The same for a reader. */
export interface Explanation extends Omit<RefusedRequest, 'refusal'> {
  readonly rule: RefusalRule;
  readonly messages: Messages;
  /** The fields of the refusal, by their names. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Why the newest requests were refused, in memory alone and never in the log. A client has two rings: what came with its
 * own proof is never pushed out by what others sent in its name.
 */
export interface Explanations {
  record(refused: RefusedRequest): void;
  find(id: string): Explanation | undefined;
  /** Newest first. */
  ofClient(clientId: string): readonly Explanation[];
  /** Of everybody, newest first. */
  recent(): readonly Explanation[];
  /** How often each rule refused since the start. */
  counts(): Readonly<Record<RefusalRule, number>>;
}

/** How many are kept: of one client with its proof, in its name without, of nobody in particular; and of how many clients. */
export const RETAINED_REFUSALS = { proven: 50, named: 20, rest: 500, clients: 1_000 } as const;

/** The newest, oldest first; nothing so short is worth a cleverer structure. */
type Ring = RefusedRequest[];

export function createExplanations(): Explanations {
  // Two, so that naming many clients does not make the rings of those forgotten that prove themselves.
  const proven = new LRUCache<string, Ring>({ max: RETAINED_REFUSALS.clients });
  const named = new LRUCache<string, Ring>({ max: RETAINED_REFUSALS.clients });
  const rest: Ring = [];
  const counts = Object.fromEntries(REFUSAL_RULES.map((rule) => [rule, 0])) as Record<RefusalRule, number>;

  function ringOf(rings: LRUCache<string, Ring>, clientId: string): Ring {
    const ring = rings.get(clientId) ?? [];
    rings.set(clientId, ring);
    return ring;
  }

  function add(ring: Ring, refused: RefusedRequest, most: number): void {
    ring.push(refused);
    if (ring.length > most) ring.shift();
  }

  const all = (): RefusedRequest[] => [...proven.values(), ...named.values(), rest].flat();

  return {
    record(refused) {
      const { clientId, isProven, refusal } = refused;
      counts[refusal.rule] += 1;
      if (clientId === null) add(rest, refused, RETAINED_REFUSALS.rest);
      else if (isProven) add(ringOf(proven, clientId), refused, RETAINED_REFUSALS.proven);
      else add(ringOf(named, clientId), refused, RETAINED_REFUSALS.named);
    },

    find(id) {
      const found = all().find((refused) => refused.id === id);
      return found === undefined ? undefined : toExplanation(found);
    },

    ofClient: (clientId) => newestFirst([...(proven.peek(clientId) ?? []), ...(named.peek(clientId) ?? [])]),
    recent: () => newestFirst(all()),
    counts: () => ({ ...counts }),
  };
}

/** Of the same moment, those that came later come first, too. */
function newestFirst(refused: readonly RefusedRequest[]): readonly Explanation[] {
  return refused
    .toReversed()
    .toSorted((one, other) => other.at - one.at)
    .map(toExplanation);
}

function toExplanation({ refusal, ...rest }: RefusedRequest): Explanation {
  const { rule, ...details } = refusal;
  return { ...rest, rule, messages: explain(refusal), details };
}
