/** A removed client in a snapshot. */
interface RemovedClient {
  readonly removedId: string;
}

/** The ids of removed self-registered clients. Such an id contains the registration, so it would be accepted again. */
export interface RemovedIds {
  add(clientId: string): void;
  has(clientId: string): boolean;
  entries(): readonly RemovedClient[];
  /** Restores the removed ids among the entries of a snapshot. Returns the remaining entries. */
  restore<Entry extends object>(entries: readonly (Entry | RemovedClient)[]): readonly Entry[];
}

export function createRemovedIds(): RemovedIds {
  const ids = new Set<string>();
  return {
    add: (clientId) => void ids.add(clientId),
    has: (clientId) => ids.has(clientId),
    entries: () => [...ids].map((removedId) => ({ removedId })),
    restore: <Entry extends object>(entries: readonly (Entry | RemovedClient)[]) =>
      entries.filter((entry): entry is Entry => {
        if (!('removedId' in entry)) return true;
        ids.add(entry.removedId);
        return false;
      }),
  };
}
