import type { RecordedEvent } from './event-log.ts';

/**
 * Returns an event as one line of JSON around its stored record. The text between `"record":` and the last brace is
 * exactly the hashed text.
 */
export function exportLine({ position, record }: Pick<RecordedEvent, 'position' | 'record'>): string {
  return `{"position":${position},"record":${record}}`;
}
