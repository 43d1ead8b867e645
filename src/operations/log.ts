import { z } from 'zod';
import { START, type Position, type RecordedEvent } from '../event-store/event-log.ts';
import { exportLine } from '../event-store/export-line.ts';
import type { EventFilter } from '../audit/queries/event-filter.ts';
import { createPartiesCache, type FindParties } from '../audit/queries/parties.ts';
import { describeEvent } from '../audit/queries/sentence.ts';
import { createNameLookup, type Names } from '../audit/queries/sentence-parts.ts';
import { redactUserChosenSecret } from '../audit/queries/redaction.ts';
import { english } from '../language/english.ts';
import type { OperationContext } from './operation-context.ts';
import { filterFields, filterFor } from './event-filter.ts';
import { isoTime } from './iso-time.ts';
import { followLog } from './follow.ts';
import { streamingOperation, type Operation } from './operation.ts';
import { replayAndCompare } from './replay.ts';

/** Returns the position before the newest `count` events. Positions have no gaps. */
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

interface TailOptions {
  readonly limit: number;
  readonly follow: boolean;
}

/**
 * Yields the newest matching events in two passes: the first counts them, and the second yields the last `limit`.
 */
async function* filteredTail(
  filter: EventFilter,
  { limit, follow }: TailOptions,
  log: OperationContext['log'],
  signal: AbortSignal,
): AsyncGenerator<RecordedEvent, void, void> {
  let remainingCount = 0;
  const matches = filter(log.readAll(START), signal);
  while (!(await matches.next()).done) remainingCount += 1;
  if (!follow && (limit === 0 || remainingCount === 0)) return;
  for await (const event of filter(follow ? followLog(log, START, signal) : log.readAll(START), signal)) {
    if (remainingCount <= limit) yield event;
    remainingCount -= 1; // goes negative for events appended after the first pass
    if (remainingCount === 0 && !follow) return;
  }
}

async function toSentence(event: RecordedEvent, findParties: FindParties, names: Names): Promise<string> {
  return english.text(describeEvent(event, await findParties(event.stream), names));
}

export const logOperations: Readonly<Record<string, Operation>> = {
  'log export': streamingOperation(z.strictObject(filterFields), async function* (filters, context, signal) {
    const filter = (await filterFor(filters, context)) ?? allEvents;
    for await (const event of filter(context.log.readAll(START), signal)) yield exportLine(event);
  }),

  'log tail': streamingOperation(
    z.strictObject({
      limit: z.int().nonnegative(),
      follow: z.boolean(),
      /** Whether to describe each event in a sentence instead of printing its record. */
      sentences: z.boolean().default(false),
      ...filterFields,
    }),
    async function* ({ limit, follow, sentences, ...filters }, context, signal) {
      const { log } = context;
      const filter = await filterFor(filters, context);
      const after = positionBeforeNewest(limit, log.head());
      const newestEvents =
        filter === undefined
          ? allEvents(follow ? followLog(log, after, signal) : log.readAll(after), signal)
          : filteredTail(filter, { limit, follow }, log, signal);
      const names = createNameLookup(context.projections);
      const findParties = createPartiesCache(log, context.projections.grants);
      for await (const event of newestEvents)
        yield sentences
          ? `${event.position}  ${isoTime(event.recordedAt / 1000)}  ${await toSentence(event, findParties, names)}`
          : exportLine(redactUserChosenSecret(event));
    },
  ),

  'log replay': streamingOperation(z.strictObject({}), (_input, context, signal) => replayAndCompare(context, signal)),
};
