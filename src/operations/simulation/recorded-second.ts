import type { EpochSeconds } from '../../domain/values.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';

/** The time of a request is approximated by the time of its record, which is written shortly after. */
export function recordedSecond({ recordedAt }: RecordedEvent): EpochSeconds {
  return Math.floor(recordedAt / 1000) as EpochSeconds;
}
