/** The outcome of a command: events, a refusal, or both. A replayed code is refused and revokes its tokens. */
export interface Decision<Event, Refusal> {
  readonly events: readonly Event[];
  readonly refusal?: Refusal;
}

/** The rules of one stream. Total, synchronous and pure: time and random values come with the command. */
export interface Decider<Command, State, Event, Refusal> {
  readonly initial: State;
  decide(command: Command, state: State): Decision<Event, Refusal>;
  evolve(state: State, event: Event): State;
  /**
   * Returns the revision of a stream that the command starts, so that the stream need not be read: 'new-stream' if the
   * stream's name was generated at random, 'no-stream' if the command may be repeated with the same name. Returns
   * undefined for any other command.
   */
  initialRevision?(command: Command): 'new-stream' | 'no-stream' | undefined;
  /**
   * Returns the time that the command's expiry times were computed from, in seconds since the epoch. If the clock has
   * been set back since then, they are too late, and the command is refused as outdated. Returns undefined for a
   * command without expiry times.
   */
  decidedAt?(command: Command): number | undefined;
  /**
   * Reports whether this event alone determines the state after it, so that a fold can start with it. Default: never.
   */
  isSummary?(event: Event): boolean;
}

/** The decision for a command that already took effect. */
export const noChange: Decision<never, never> = { events: [] };

export function accept<Event>(...events: readonly Event[]): Decision<Event, never> {
  return { events };
}

export function refuse<Event, Refusal>(refusal: Refusal, ...events: readonly Event[]): Decision<Event, Refusal> {
  return { refusal, events };
}
