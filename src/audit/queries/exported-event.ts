import type { RecordedEvent } from '../../event-store/event-log.ts';
import { csvRow } from './csv.ts';

/** The members of an exported event, whether it comes from the log or from a line of an export. */
export interface ExportedEvent extends Pick<RecordedEvent, 'stream' | 'type' | 'recordedAt' | 'data'> {
  readonly position: number;
  readonly revision: number;
  readonly actor: { readonly kind: string; readonly id?: string | undefined };
  readonly requestId?: string | null | undefined;
}

export const EVENT_CSV_HEADER = csvRow([
  'position',
  'recorded_at',
  'type',
  'stream',
  'revision',
  'actor',
  'request_id',
  'data',
]);

/** Formats an event as a CSV row. */
export function eventCsvRow({
  position,
  recordedAt,
  type,
  stream,
  revision,
  actor,
  requestId,
  data,
}: ExportedEvent): string {
  return csvRow([
    position,
    new Date(recordedAt).toISOString(),
    type,
    stream,
    revision,
    formatActor(actor),
    requestId ?? '',
    JSON.stringify(data),
  ]);
}

function formatActor({ kind, id }: ExportedEvent['actor']): string {
  return id === undefined ? kind : `${kind}:${id}`;
}
