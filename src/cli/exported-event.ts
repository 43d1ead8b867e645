import { z } from 'zod';
import { eventCsvRow, type ExportedEvent } from '../audit/queries/exported-event.ts';
import { redactedData } from '../audit/queries/redaction.ts';

/** The members of an export line that a CSV row contains. */
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

/**
 * Formats an export line as a CSV row. Omits the hashes of user-chosen secrets: they are needed only to verify a
 * record, and a CSV row cannot be verified.
 */
export function toCsvRow(line: string): string {
  const event = parse(line);
  return eventCsvRow({ ...event, data: redactedData(event) });
}

function parse(line: string): ExportedEvent {
  const { position, record } = exportedLine.parse(JSON.parse(line));
  return { position, ...record };
}
