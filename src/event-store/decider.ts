/**
 * The outcome of a command: events, a refusal, or both. For example, a replayed code is refused, and its tokens are
 * revoked.
 */
export interface Decision<Event, Refusal> {
  readonly events: readonly Event[];
  readonly refusal?: Refusal;
}

/** The rules of one kind of stream. Total, synchronous and pure: time and random values come with the command. */
export interface Decider<Command, State, Event, Refusal> {
  readonly initial: State;
  decide(command: Command, state: State): Decision<Event, Refusal>;
  evolve(state: State, event: Event): State;
  /**
   * Returns the expected revision of the stream if the command starts one, so that the stream need not be read:
   * 'new-stream' if the stream's name was generated at random, 'no-stream' if the command may be repeated with the same
   * name. Returns undefined for any other command.
   */
  initialRevision?(command: Command): 'new-stream' | 'no-stream' | undefined;
  /**
   * Returns the time from which the command's expiry times were computed, in seconds since the epoch. If the clock has
   * been set back since then, the expiry times are too late, and the command handler throws `DecisionOutdated`. Returns
   * undefined for a command without expiry times.
   */
  decidedAt?(command: Command): number | undefined;
  /**
   * Reports whether the event alone determines the state, so that a fold can start with the event. Without this
   * method, no event does.
   */
  isSummary?(event: Event): boolean;
}

/** The decision for a command that has already taken effect. */
export const noChange: Decision<never, never> = { events: [] };

export function accept<Event>(...events: readonly Event[]): Decision<Event, never> {
  return { events };
}

export function refuse<Event, Refusal>(refusal: Refusal, ...events: readonly Event[]): Decision<Event, Refusal> {
  return { refusal, events };
}
