import { z } from 'zod';
import { eventCsvRow, type ExportedEvent } from '../audit/queries/exported-event.ts';
import { redactedData } from '../audit/queries/redaction.ts';

/** The parts of an export line that are printed. */
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

/** Formats an export line as a CSV row. A row cannot be verified, so hashes of user-chosen secrets are omitted. */
export function toCsvRow(line: string): string {
  const event = parse(line);
  return eventCsvRow({ ...event, data: redactedData(event) });
}

function parse(line: string): ExportedEvent {
  const { position, record } = exportedLine.parse(JSON.parse(line));
  return { position, ...record };
}
