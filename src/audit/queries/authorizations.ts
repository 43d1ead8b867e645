import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';

/** The access that a grant allows, and when it expires. */
interface Allowance {
  readonly scope: Scope;
  /** The resource servers (RFC 8707); missing or empty means all. */
  readonly resource?: Resources | undefined;
  /** Seconds since the epoch, or null if the grant lasts until it is revoked. */
  readonly expiresAt: number | null;
}

/** A user's grants to an application, combined. */
export interface Authorization<Grant> {
  /** The first grants, in the order of addition: at least one, at most `maxGrants`. */
  readonly grants: readonly Grant[];
  /** The number of all grants. */
  readonly count: number;
  /** The union of the scopes of all grants. */
  readonly scope: Scope;
  /** The union of the resource servers of all grants; empty if a grant is unrestricted. */
  readonly resource: Resources;
  /** When the last grant expires, in seconds since the epoch, or null if a grant lasts until it is revoked. */
  readonly expiresAt: number | null;
}

/** Combines grants as they are added. */
export interface Authorizations<Grant> {
  add(grant: Grant): void;
  /** Returns the authorizations in the order of their first grants. */
  all(): readonly Authorization<Grant>[];
}

interface AuthorizationGroup<Grant> {
  readonly grants: Grant[];
  readonly scope: Set<string>;
  readonly resource: Set<string>;
  count: number;
  isUnrestricted: boolean;
  expiresAt: number | null;
}

/**
 * Creates an empty collection that combines grants by application and user. Every login to an application creates a
 * grant, so a user may have thousands for the same application.
 * @param keyOf returns the same string for grants of the same user to the same application
 * @param maxGrants the maximum number of grants to store for each authorization; further grants are combined but not
 *   stored
 */
export function createAuthorizations<Grant extends Allowance>(
  keyOf: (grant: Grant) => string,
  maxGrants = Infinity,
): Authorizations<Grant> {
  const groups = new Map<string, AuthorizationGroup<Grant>>();

  function findOrCreateGroup(grant: Grant): AuthorizationGroup<Grant> {
    const key = keyOf(grant);
    const existingGroup = groups.get(key);
    if (existingGroup !== undefined) return existingGroup;
    const group: AuthorizationGroup<Grant> = {
      grants: [],
      scope: new Set(),
      resource: new Set(),
      count: 0,
      isUnrestricted: false,
      expiresAt: 0,
    };
    groups.set(key, group);
    return group;
  }

  return {
    add(grant) {
      const { resource = [], scope, expiresAt } = grant;
      const group = findOrCreateGroup(grant);
      group.count += 1;
      if (group.grants.length < maxGrants) group.grants.push(grant);
      for (const name of scope) group.scope.add(name);
      for (const uri of resource) group.resource.add(uri);
      group.isUnrestricted ||= resource.length === 0;
      group.expiresAt = group.expiresAt === null || expiresAt === null ? null : Math.max(group.expiresAt, expiresAt);
    },

    all: () =>
      [...groups.values()].map(({ grants, count, scope, resource, isUnrestricted, expiresAt }) => ({
        grants,
        count,
        scope: [...scope],
        resource: isUnrestricted ? [] : [...resource],
        expiresAt,
      })),
  };
}
