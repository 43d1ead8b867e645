import { z } from 'zod';
import { formatActor, eventCsvRow, type ExportedEvent } from '../audit/queries/exported-event.ts';
import { redactedData } from '../audit/queries/redaction.ts';
import { escapeControls } from './print.ts';

/** What is shown of a line of the export. */
const exportedLine = z.object({
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

/** A line of the export as a row of a spreadsheet, which proves nothing and so needs no hash of a chosen secret. */
export function toCsvRow(line: string): string {
  const event = parse(line);
  return eventCsvRow({ ...event, data: redactedData(event) });
}

/** A line of the export for a person at a terminal. */
export function toReadableLine(line: string): string {
  const { position, recordedAt, type, stream, actor, data } = parse(line);
  return escapeControls(
    [position, new Date(recordedAt).toISOString(), type, stream, formatActor(actor), JSON.stringify(data)].join('  '),
  );
}

function parse(line: string): ExportedEvent {
  const { position, record } = exportedLine.parse(JSON.parse(line));
  return { position, ...record };
}
