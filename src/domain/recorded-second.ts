import type { EpochSeconds } from './values.ts';
import type { RecordedEvent } from '../event-store/event-log.ts';

/** Returns the time when the event was recorded, in whole seconds since the epoch. */
export function recordedSecond({ recordedAt }: Pick<RecordedEvent, 'recordedAt'>): EpochSeconds {
  return Math.floor(recordedAt / 1000) as EpochSeconds;
}
