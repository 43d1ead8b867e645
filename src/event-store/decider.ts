/**
 * What a command comes to: events that happened, and perhaps a refusal beside them (a replayed code
 * is refused and revokes its tokens at once).
 */
export interface Decision<Event, Refusal> {
  readonly events: readonly Event[];
  readonly refusal?: Refusal;
}

/** One stream's rules. Total, synchronous, pure: time and randomness come in the command. */
export interface Decider<Command, State, Event, Refusal> {
  readonly initial: State;
  decide(command: Command, state: State): Decision<Event, Refusal>;
  evolve(state: State, event: Event): State;
  /**
   * For a command that begins a stream, so that nothing is there to be read first: 'new-stream' where the name was made for it at
   * random, 'no-stream' where the same command may come again under the same name. Undefined for any other.
   */
  initialRevision?(command: Command): 'new-stream' | 'no-stream' | undefined;
  /**
   * The time that a command's expiry times were counted from, in seconds since the epoch. The command is refused as
   * outdated when the clock has been set back since: they would be too late. Undefined for a command without any.
   */
  decidedAt?(command: Command): number | undefined;
  /** Whether the state after this event follows from it alone, so that a fold may begin with it. Left out: never. */
  isSummary?(event: Event): boolean;
}

/** A decision without effect: the command had already come true. */
export const noChange: Decision<never, never> = { events: [] };

export function accept<Event>(...events: readonly Event[]): Decision<Event, never> {
  return { events };
}

export function refuse<Event, Refusal>(refusal: Refusal, ...events: readonly Event[]): Decision<Event, Refusal> {
  return { refusal, events };
}
