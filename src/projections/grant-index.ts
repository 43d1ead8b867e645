import type { GrantId, UserId } from '../domain/values.ts';
import type { LiveGrant } from './live-grant.ts';

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

/** The grants of a client, or only the first of them. */
export interface FirstGrants {
  readonly grants: readonly LiveGrant[];
  /** Whether all grants of the client were examined. */
  readonly isComplete: boolean;
}

/** The number of grants and of their users. */
export interface GrantCount {
  readonly grants: number;
  readonly users: number;
  /** Whether both numbers are exact; otherwise they are lower bounds. */
  readonly isExact: boolean;
}

/**
 * Returns the grants among the first `maxGrants` ids.
 * @param find returns undefined for a grant to omit
 */
export function firstGrants(
  ids: ReadonlySet<GrantId>,
  maxGrants: number,
  find: (id: GrantId) => LiveGrant | undefined,
): FirstGrants {
  const grants: LiveGrant[] = [];
  let remainingGrants = maxGrants;
  for (const id of ids) {
    if (remainingGrants === 0) break;
    remainingGrants -= 1;
    const grant = find(id);
    if (grant !== undefined) grants.push(grant);
  }
  return { grants, isComplete: ids.size <= maxGrants };
}

export function countGrants({ grants, isComplete }: FirstGrants): GrantCount {
  const users = new Set<UserId>(grants.map(({ userId }) => userId));
  return { grants: grants.length, users: users.size, isExact: isComplete };
}
