import type { DomainEvent } from '../../src/domain/events.ts';
import { encodeEvent } from '../../src/domain/events.ts';
import type { Position, RecordedEvent, Revision, StreamName } from '../../src/event-store/event-log.ts';
import type { Projection } from '../../src/event-store/projector.ts';

export interface Recording {
  /**
   * Passes the event to every projection, in order, as the log would.
   * @param time seconds since the epoch
   */
  record(stream: StreamName, event: DomainEvent, time?: number): void;
}

/** Passes events to projections one at a time, like a log, but stores none. */
export function createRecording(...projections: readonly Projection[]): Recording {
  let position = 0;
  const revisions = new Map<StreamName, number>();
  return {
    record(stream, event, time = 0) {
      position += 1;
      const revision = (revisions.get(stream) ?? 0) + 1;
      revisions.set(stream, revision);
      const recordedEvent: RecordedEvent = {
        ...encodeEvent(event),
        stream,
        position: position as Position,
        revision: revision as Revision,
        recordedAt: time * 1000,
        actor: { kind: 'server' },
        requestId: null,
        record: '',
      };
      for (const projection of projections) projection.apply(recordedEvent);
    },
  };
}
