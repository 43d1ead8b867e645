import { z } from 'zod';
import { actorText, eventCsvRow, type ExportedEvent } from '../audit/queries/exported-event.ts';
import { dataWithoutChosenSecret } from '../audit/queries/redaction.ts';
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

/** A line of the export as a row of a spreadsheet, which proves nothing and so needs no hash of a chosen secret. */
export function csvOf(line: string): string {
  const event = parse(line);
  return eventCsvRow({ ...event, data: dataWithoutChosenSecret(event) });
}

/** A line of the export for a person at a terminal. */
export function readable(line: string): string {
  const { position, recordedAt, type, stream, actor, data } = parse(line);
  return printable(
    [position, new Date(recordedAt).toISOString(), type, stream, actorText(actor), JSON.stringify(data)].join('  '),
  );
}

function parse(line: string): ExportedEvent {
  const { position, record } = exported.parse(JSON.parse(line));
  return { position, ...record };
}
