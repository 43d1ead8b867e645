import type { GrantId } from '../domain/values.ts';

/** Finds the ids of live grants by a key that several grants may share. */
export interface GrantIndex<Key> {
  add(key: Key, grantId: GrantId): void;
  remove(key: Key, grantId: GrantId): void;
  /** Returns the ids of all grants with the key, or an empty set. */
  get(key: Key): ReadonlySet<GrantId>;
}

const NONE: ReadonlySet<GrantId> = new Set();

export function createGrantIndex<Key>(): GrantIndex<Key> {
  const byKey = new Map<Key, Set<GrantId>>();
  return {
    add(key, grantId) {
      byKey.set(key, (byKey.get(key) ?? new Set()).add(grantId));
    },
    remove(key, grantId) {
      const members = byKey.get(key);
      members?.delete(grantId);
      if (members?.size === 0) byKey.delete(key);
    },
    get: (key) => byKey.get(key) ?? NONE,
  };
}
