import type { Difference, RequestOutcome } from './outcome.ts';

/** The effect that a rule would have had on an application. */
export interface Finding extends Difference {
  readonly client: string;
  readonly application: string;
  /** The number of requests with this difference. */
  readonly count: number;
  /** The number of later successful requests that would not have been possible without the refused ones. */
  readonly followed_by: number;
  /** For shorter access token lifetimes: the number of refreshes after the access token would have expired. */
  readonly refreshed_late: number;
  /** The position and time of the first event of the first such request, as an example. */
  readonly position: number;
  readonly time: string;
}

type MutableFinding = { -readonly [Field in keyof Finding]: Finding[Field] };

export const LIFETIME_RULE = 'access-token-lifetime';

const findingKey = (client: string, { outcome, rule }: Pick<Difference, 'outcome' | 'rule'>): string =>
  `${outcome} ${rule} ${client}`;

/**
 * Creates a collector that combines the differences for each application, rule and outcome into one finding, so that
 * memory does not grow with the log.
 */
export function createFindings() {
  const findings = new Map<string, MutableFinding>();

  return {
    add(outcome: RequestOutcome): void {
      const { clientId: client, application, position, recordedAt, differences, followsFrom, isLateRefresh } = outcome;
      for (const difference of differences) {
        const key = findingKey(client, difference);
        const existing = findings.get(key);
        if (existing === undefined)
          findings.set(key, {
            client,
            application,
            ...difference,
            count: 1,
            followed_by: 0,
            refreshed_late: 0,
            position,
            time: new Date(recordedAt).toISOString(),
          });
        else existing.count += 1;
      }
      const cause = followsFrom && findings.get(findingKey(client, followsFrom));
      if (cause !== undefined) cause.followed_by += 1;
      const lifetimeFinding = isLateRefresh
        ? findings.get(findingKey(client, { outcome: 'answered otherwise', rule: LIFETIME_RULE }))
        : undefined;
      if (lifetimeFinding !== undefined) lifetimeFinding.refreshed_late += 1;
    },

    /** Returns the findings: refusals first, and otherwise in order of position. */
    all(): readonly Finding[] {
      const rank = ({ outcome }: Finding): number => (outcome === 'refused' ? 0 : 1);
      return [...findings.values()].toSorted((a, b) => rank(a) - rank(b) || a.position - b.position);
    },
  };
}
