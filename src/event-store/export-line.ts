import type { RecordedEvent } from './event-log.ts';

/**
 * An event as one line of JSON around its record, byte for byte as stored: what stands between
 * `"record":` and the last brace is what was hashed.
 */
export function exportLine({ position, record }: Pick<RecordedEvent, 'position' | 'record'>): string {
  return `{"position":${position},"record":${record}}`;
}
