import { z } from 'zod';
import { csvRow } from './csv.ts';
import { printable } from './print.ts';

/** What is shown of a line of the export. */
const exported = z.object({
  position: z.number(),
  record: z.object({
    stream: z.string(),
    revision: z.number(),
    type: z.string(),
    recordedAt: z.number(),
    actor: z.object({ kind: z.string(), id: z.string().optional() }),
    requestId: z.string().optional(),
    data: z.unknown(),
  }),
});

export const CSV_HEADER = csvRow(['position', 'recorded_at', 'type', 'stream', 'revision', 'actor', 'request_id', 'data']);

/** A line of the export as a row of a spreadsheet. */
export function csvOf(line: string): string {
  const { position, recordedAt, type, stream, revision, actor, requestId, data } = parse(line);
  return csvRow([position, recordedAt, type, stream, revision, actor, requestId, data]);
}

/** A line of the export for a person at a terminal. */
export function readable(line: string): string {
  const { position, recordedAt, type, stream, actor, data } = parse(line);
  return printable([position, recordedAt, type, stream, actor, data].join('  '));
}

function parse(line: string) {
  const { position, record } = exported.parse(JSON.parse(line));
  const { stream, revision, type, requestId = '' } = record;
  const { kind, id } = record.actor;
  return {
    position, stream, revision, type, requestId,
    recordedAt: new Date(record.recordedAt).toISOString(), actor: id === undefined ? kind : `${kind}:${id}`, data: JSON.stringify(record.data),
  };
}
