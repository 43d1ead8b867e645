/** How one recorded request would have ended otherwise. */
export interface Difference {
  readonly outcome: 'refused' | 'answered otherwise';
  /** The rule, by the name that `grantlog why` has for it where it would have been refused. */
  readonly rule: string;
  /** In words. */
  readonly difference: string;
}

/** What would have become of a request that succeeded. */
export interface RequestOutcome {
  readonly clientId: string;
  /** The application's name. */
  readonly application: string;
  /** Of its first event. */
  readonly position: number;
  readonly differences: readonly Difference[];
  /** The refusal of an earlier request of the same application, without whose success this one could not have been made. */
  readonly followsFrom: Difference | undefined;
  /** Whether it refreshed an access token that would have been dead by then, and was not. */
  readonly isLateRefresh: boolean;
}

export const refused = (rule: string, difference: string): Difference => ({ outcome: 'refused', rule, difference });
export const answeredDifferently = (rule: string, difference: string): Difference => ({
  outcome: 'answered otherwise',
  rule,
  difference,
});
