import { z } from 'zod';
import { START, type Position } from '../eventsourcing/event-log.ts';
import { exportLine } from '../eventsourcing/export-line.ts';
import { followLog } from './follow.ts';
import { streaming, type Operation } from './operation.ts';
import { replayAndCompare } from './replay.ts';

/** Positions have no gaps, so the newest `count` events are those after this one. */
function beforeTheNewest(count: number, head: Position): Position {
  return Math.max(START, head - count) as Position;
}

export const logOperations: Readonly<Record<string, Operation>> = {
  'log export': streaming(z.strictObject({}), async function* (_input, { log }, signal) {
    for await (const events of log.readAll(START)) {
      if (signal.aborted) return;
      for (const event of events) yield exportLine(event);
    }
  }),

  'log tail': streaming(
    z.strictObject({ limit: z.int().nonnegative(), follow: z.boolean() }),
    async function* ({ limit, follow }, { log }, signal) {
      const after = beforeTheNewest(limit, log.head());
      for await (const events of follow ? followLog(log, after, signal) : log.readAll(after)) {
        if (signal.aborted) return;
        for (const event of events) yield exportLine(event);
      }
    },
  ),

  'log replay': streaming(z.strictObject({}), (_input, admin, signal) => replayAndCompare(admin, signal)),
};
