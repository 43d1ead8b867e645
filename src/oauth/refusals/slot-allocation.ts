import type { RefusedRequest } from './explanations.ts';

/**
 * `proven`: refusals of requests with genuine credentials of a client; `named`: of requests that only contain a client
 * id; `rest`: of all other requests.
 */
export type RefusalClass = 'proven' | 'named' | 'rest';

/** Returns the class whose limits apply to the refusal. */
export function refusalClass({ clientId, isProven }: Pick<RefusedRequest, 'clientId' | 'isProven'>): RefusalClass {
  if (clientId === null) return 'rest';
  return isProven ? 'proven' : 'named';
}

export interface ClassLimits {
  /** The number of slots for all clients together. */
  readonly slots: number;
  readonly perClient: number;
}

/** A stored refusal. */
export interface StoredRefusal {
  readonly slot: number;
  readonly refused: RefusedRequest;
}

/** Assigns the slots of one class to its latest refusals. */
export interface SlotAllocation {
  /** Assigns a free slot to the refused request, or the slot of an older refusal, which it displaces. */
  add(request: RefusedRequest): StoredRefusal;
  /** Restores a stored refusal. Call this before `add`, in the order in which the refusals were added. */
  restore(stored: StoredRefusal): void;
  size(): number;
}

/**
 * Creates the allocation of one class. A client at its limit displaces its oldest refusal. If all slots are taken, the
 * client with the most refusals loses its oldest one, so that no client can displace the refusals of a client with
 * fewer.
 * @param firstSlot the number of the first slot
 */
export function allocateSlots(firstSlot: number, { slots, perClient }: ClassLimits): SlotAllocation {
  const freeSlots = new Set(Array.from({ length: slots }, (_, index) => firstSlot + index));
  /** The refusals of each client, oldest first. */
  const rings = new Map<string | null, StoredRefusal[]>();
  let size = 0;

  function findOrCreateRing(clientId: string | null): StoredRefusal[] {
    const ring = rings.get(clientId) ?? [];
    rings.set(clientId, ring);
    return ring;
  }

  function findLongestRing(): StoredRefusal[] {
    let longest: StoredRefusal[] = [];
    for (const ring of rings.values()) if (ring.length > longest.length) longest = ring;
    return longest;
  }

  /**
   * Removes the oldest refusal and returns its slot, or returns undefined if the ring is empty. The slot must be
   * reused; otherwise, the refusal would reappear after a restart.
   */
  function displaceOldest(ring: StoredRefusal[]): number | undefined {
    const oldest = ring.shift();
    if (oldest === undefined) return undefined;
    size -= 1;
    if (ring.length === 0) rings.delete(oldest.refused.clientId);
    return oldest.slot;
  }

  function put(refusal: StoredRefusal): void {
    freeSlots.delete(refusal.slot);
    findOrCreateRing(refusal.refused.clientId).push(refusal);
    size += 1;
  }

  return {
    add(request) {
      const clientRing = findOrCreateRing(request.clientId);
      const isFull = clientRing.length >= perClient || freeSlots.size === 0;
      const displacedSlot = isFull
        ? displaceOldest(clientRing.length >= perClient ? clientRing : findLongestRing())
        : undefined;
      const [unusedSlot = firstSlot] = freeSlots;
      const newRefusal = { slot: displacedSlot ?? unusedSlot, refused: request };
      put(newRefusal);
      return newRefusal;
    },
    restore: put,
    size: () => size,
  };
}
