import { decodeEvent } from '../domain/events.ts';
import type { Position } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';

/** The times of the log: the newest, and each time that the clock was set back. */
export interface RecordedClock extends Projection {
  /** The newest time of an event since the clock was last set back; 0 without events. Milliseconds since the epoch. */
  newestAt(): number;
  /** Whether setting the clock back has ended what was issued at `position` and `issuedAt` (seconds since the epoch). */
  hasEnded(issuedAt: number, position: Position): boolean;
}

interface SetBack {
  readonly position: Position;
  readonly issuedAfter: number;
}

export function createRecordedClock(): RecordedClock {
  let newestAt = 0;
  let setBacks: readonly SetBack[] = [];

  return {
    name: 'clock',
    newestAt: () => newestAt,
    hasEnded: (issuedAt, position) =>
      setBacks.some((setBack) => position < setBack.position && issuedAt > setBack.issuedAfter),
    contents: () => [newestAt, ...setBacks],
    freeze: () => jsonPieces([newestAt, ...setBacks]),
    restore(piece) {
      for (const entry of parseEntries<number | SetBack>(piece)) {
        if (typeof entry === 'number') newestAt = entry;
        else setBacks = [...setBacks, entry];
      }
    },

    apply(event) {
      newestAt = Math.max(newestAt, event.recordedAt);
      const { type, data } = decodeEvent(event);
      if (type !== 'ClockSetBack') return;
      newestAt = event.recordedAt;
      setBacks = [...setBacks, { position: event.position, issuedAfter: data.issuedAfter }];
    },
  };
}
