import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';

/** What a grant allows, and until when. */
interface Allowance {
  readonly scope: Scope;
  /** RFC 8707; missing or empty: everywhere. */
  readonly resource?: Resources | undefined;
  /** Seconds since the epoch; null: until it is revoked. */
  readonly expiresAt: number | null;
}

/** Everything that one application holds of one user: its grants taken together. */
export interface Authorization<Grant> {
  /** At least one, and no more than are kept, in the order in which they were added. */
  readonly grants: readonly Grant[];
  /** How many there are in all. */
  readonly count: number;
  /** Every scope of any of them. */
  readonly scope: Scope;
  /** Every resource server of any of them; empty when one of them is good everywhere. */
  readonly resource: Resources;
  /** When the last of them ends, in seconds since the epoch; null: when it is revoked. */
  readonly expiresAt: number | null;
}

/** Puts grants together as they are added. */
export interface Authorizations<Grant> {
  add(grant: Grant): void;
  /** Each where its first grant was. */
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
 * Grants by application and user. Every log-in through an application is a grant of its own, so one application may
 * hold thousands of one user.
 * @param keyOf the same text for grants of the same user to the same application
 * @param kept so many grants of each are kept; the others are counted
 */
export function createAuthorizations<Grant extends Allowance>(
  keyOf: (grant: Grant) => string,
  kept = Infinity,
): Authorizations<Grant> {
  const groups = new Map<string, AuthorizationGroup<Grant>>();

  function groupOf(grant: Grant): AuthorizationGroup<Grant> {
    const key = keyOf(grant);
    const known = groups.get(key);
    if (known !== undefined) return known;
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
      const group = groupOf(grant);
      group.count += 1;
      if (group.grants.length < kept) group.grants.push(grant);
      for (const name of scope) group.scope.add(name);
      for (const uri of resource) group.resource.add(uri);
      group.isUnrestricted ||= resource.length === 0;
      group.expiresAt = group.expiresAt === null || expiresAt === null ? null : Math.max(group.expiresAt, expiresAt);
    },

    all: () =>
      [...groups.values()].map(({ grants, count, scope, resource, isUnrestricted: isGoodEverywhere, expiresAt }) => ({
        grants,
        count,
        scope: [...scope],
        resource: isGoodEverywhere ? [] : [...resource],
        expiresAt,
      })),
  };
}
