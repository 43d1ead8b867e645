import type { Difference, RequestOutcome } from './outcome.ts';

/** What one rule would have done to one application. */
export interface Finding extends Difference {
  readonly client: string;
  readonly application: string;
  /** Requests. */
  readonly count: number;
  /** Successful requests that could then not have been made: with a code or a token that would not have been given. */
  readonly followed_by: number;
  /** Of access tokens that would have lived shorter: refreshed when they would have been dead already. */
  readonly refreshed_late: number;
  /** An example: the first event of the first such request. */
  readonly position: number;
}

type MutableFinding = { -readonly [Field in keyof Finding]: Finding[Field] };

export const LIFETIME_RULE = 'access-token-lifetime';

const findingKey = (client: string, { outcome, rule }: Pick<Difference, 'outcome' | 'rule'>): string =>
  `${outcome} ${rule} ${client}`;

/** Counts by application and rule; as many as there are of both, however long the log. */
export function createFindings() {
  const counted = new Map<string, MutableFinding>();

  return {
    add({ clientId: client, application, position, differences, followsFrom, isLateRefresh }: RequestOutcome): void {
      for (const difference of differences) {
        const key = findingKey(client, difference);
        const before = counted.get(key);
        if (before === undefined)
          counted.set(key, {
            client,
            application,
            ...difference,
            count: 1,
            followed_by: 0,
            refreshed_late: 0,
            position,
          });
        else before.count += 1;
      }
      const cause = followsFrom && counted.get(findingKey(client, followsFrom));
      if (cause !== undefined) cause.followed_by += 1;
      const shortened = isLateRefresh
        ? counted.get(findingKey(client, { outcome: 'answered otherwise', rule: LIFETIME_RULE }))
        : undefined;
      if (shortened !== undefined) shortened.refreshed_late += 1;
    },

    /** Refusals first; within them the application that comes first in the log. */
    all(): readonly Finding[] {
      const rank = ({ outcome }: Finding): number => (outcome === 'refused' ? 0 : 1);
      return [...counted.values()].toSorted((one, other) => rank(one) - rank(other) || one.position - other.position);
    },
  };
}
