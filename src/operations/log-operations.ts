import { z } from 'zod';
import { START, type Position, type RecordedEvent } from '../event-store/event-log.ts';
import { exportLine } from '../event-store/export-line.ts';
import type { EventFilter } from '../audit/queries/event-filter.ts';
import { withoutChosenSecret } from '../audit/queries/redaction.ts';
import type { Administration } from './administration.ts';
import { filterFields, filterFor } from './event-filter.ts';
import { followLog } from './follow.ts';
import { streaming, type Operation } from './operation.ts';
import { replayAndCompare } from './replay.ts';

/** Positions have no gaps, so the newest `count` events are those after this one. */
function beforeTheNewest(count: number, head: Position): Position {
  return Math.max(START, head - count) as Position;
}

async function* everyEvent(
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
async function* tailOf(
  wanted: EventFilter,
  { limit, follow }: Tail,
  log: Administration['log'],
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
  'log export': streaming(z.strictObject(filterFields), async function* (asked, admin, signal) {
    const wanted = filterFor(asked, admin) ?? everyEvent;
    for await (const event of wanted(admin.log.readAll(START), signal)) yield exportLine(event);
  }),

  'log tail': streaming(
    z.strictObject({ limit: z.int().nonnegative(), follow: z.boolean(), ...filterFields }),
    async function* ({ limit, follow, ...asked }, admin, signal) {
      const { log } = admin;
      const wanted = filterFor(asked, admin);
      const after = beforeTheNewest(limit, log.head());
      const newest =
        wanted === undefined
          ? everyEvent(follow ? followLog(log, after, signal) : log.readAll(after), signal)
          : tailOf(wanted, { limit, follow }, log, signal);
      for await (const event of newest) yield exportLine(withoutChosenSecret(event));
    },
  ),

  'log replay': streaming(z.strictObject({}), (_input, admin, signal) => replayAndCompare(admin, signal)),
};
