import type { EpochSeconds } from '../../domain/values.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';

/** Returns the approximate time of a request: the time of its record, which is written shortly afterwards. */
export function recordedSecond({ recordedAt }: RecordedEvent): EpochSeconds {
  return Math.floor(recordedAt / 1000) as EpochSeconds;
}
