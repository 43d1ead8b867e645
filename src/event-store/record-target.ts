import type { EventLog, Position, RecordedEvent } from './event-log.ts';

/** A log that records are copied into unchanged. Nothing else appends to it during the copy. */
export interface RecordTarget {
  /** Returns the position of the last stored event. */
  head(): Promise<Position>;
  /**
   * Stores events that follow the head. They are durable when the promise resolves.
   * @throws Error if the events do not follow the head
   */
  write(events: readonly RecordedEvent[]): Promise<void>;
  /** Reads every stored event. */
  readAll(): ReturnType<EventLog['readAll']>;
  close(): Promise<void>;
}

/**
 * Checks that `events` can be stored after `head`.
 * @throws Error if the first of `events` does not follow `head`
 */
export function assertFollows(events: readonly RecordedEvent[], head: Position): void {
  const [first] = events;
  if (first !== undefined && first.position !== head + 1)
    throw new Error(`the log ends at position ${head}, and the next event to store has position ${first.position}`);
}
