import type { EventLog, Position, RecordedEvent } from '../../event-store/event-log.ts';

/** Returns the event at a position, or undefined if no event has that position. */
export async function readEventAt(
  position: Position,
  log: Pick<EventLog, 'readBackwards'>,
): Promise<RecordedEvent | undefined> {
  for await (const [first] of log.readBackwards(position)) return first?.position === position ? first : undefined;
  return undefined;
}
