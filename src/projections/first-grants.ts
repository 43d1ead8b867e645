import type { GrantId, UserId } from '../domain/values.ts';
import type { LiveGrant } from './live-grant.ts';

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
