import { decodeEvent } from '../domain/events.ts';
import type { Position } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { parseEntries, jsonPieces } from './json-pieces.ts';

/** The latest time in the log, and the clock corrections. */
export interface RecordedClock extends Projection {
  /**
   * Returns the latest time since the last clock correction, in milliseconds since the epoch, or 0 if there are no
   * events.
   */
  newestAt(): number;
  /**
   * Reports whether a clock correction has invalidated credentials issued at `position` and at `issuedAt`, in seconds
   * since the epoch.
   */
  hasEnded(issuedAt: number, position: Position): boolean;
}

interface ClockCorrection {
  readonly position: Position;
  readonly issuedAfter: number;
}

export function createRecordedClock(): RecordedClock {
  let newestAt = 0;
  let corrections: readonly ClockCorrection[] = [];

  return {
    name: 'clock',
    newestAt: () => newestAt,
    hasEnded: (issuedAt, position) =>
      corrections.some((correction) => position < correction.position && issuedAt > correction.issuedAfter),
    contents: () => [newestAt, ...corrections],
    freeze: () => jsonPieces([newestAt, ...corrections]),
    restore(piece) {
      for (const entry of parseEntries<number | ClockCorrection>(piece)) {
        if (typeof entry === 'number') newestAt = entry;
        else corrections = [...corrections, entry];
      }
    },

    apply(event) {
      newestAt = Math.max(newestAt, event.recordedAt);
      const { type, data } = decodeEvent(event);
      if (type !== 'ClockSetBack') return;
      newestAt = event.recordedAt;
      corrections = [...corrections, { position: event.position, issuedAfter: data.issuedAfter }];
    },
  };
}
