import { z } from 'zod';
import { START, type Position, type RecordedEvent } from '../event-store/event-log.ts';
import { exportLine } from '../event-store/export-line.ts';
import type { EventFilter } from '../audit/queries/event-filter.ts';
import { redactUserChosenSecret } from '../audit/queries/redaction.ts';
import type { OperationContext } from './operation-context.ts';
import { filterFields, filterFor } from './event-filter.ts';
import { followLog } from './follow.ts';
import { streamingOperation, type Operation } from './operation.ts';
import { replayAndCompare } from './replay.ts';

/** Positions have no gaps, so the newest `count` events are those after this one. */
function positionBeforeNewest(count: number, head: Position): Position {
  return Math.max(START, head - count) as Position;
}

async function* allEvents(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void, void> {
  for await (const events of batches) {
    if (signal.aborted) return;
    yield* events;
  }
}

interface Tail {
  readonly limit: number;
  readonly follow: boolean;
}

/** Where the newest of the wanted events begin can be told only from their number: one pass counts, another shows. */
async function* filteredTail(
  wanted: EventFilter,
  { limit, follow }: Tail,
  log: OperationContext['log'],
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void, void> {
  let count = 0;
  const counting = wanted(log.readAll(START), signal);
  while (!(await counting.next()).done) count += 1;
  if (!follow && (limit === 0 || count === 0)) return;
  for await (const event of wanted(follow ? followLog(log, START, signal) : log.readAll(START), signal)) {
    if (count <= limit) yield event;
    count -= 1; // below zero: those that came since
    if (count === 0 && !follow) return;
  }
}

export const logOperations: Readonly<Record<string, Operation>> = {
  'log export': streamingOperation(z.strictObject(filterFields), async function* (asked, admin, signal) {
    const wanted = filterFor(asked, admin) ?? allEvents;
    for await (const event of wanted(admin.log.readAll(START), signal)) yield exportLine(event);
  }),

  'log tail': streamingOperation(
    z.strictObject({ limit: z.int().nonnegative(), follow: z.boolean(), ...filterFields }),
    async function* ({ limit, follow, ...asked }, admin, signal) {
      const { log } = admin;
      const wanted = filterFor(asked, admin);
      const after = positionBeforeNewest(limit, log.head());
      const newest =
        wanted === undefined
          ? allEvents(follow ? followLog(log, after, signal) : log.readAll(after), signal)
          : filteredTail(wanted, { limit, follow }, log, signal);
      for await (const event of newest) yield exportLine(redactUserChosenSecret(event));
    },
  ),

  'log replay': streamingOperation(z.strictObject({}), (_input, admin, signal) => replayAndCompare(admin, signal)),
};
