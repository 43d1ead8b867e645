import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { reportAccess, findUnknownNames } from '../audit/queries/access-report.ts';
import type { LogHistory } from './operation-context.ts';
import type { EventLog } from '../event-store/event-log.ts';
import { streamingOperation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';

const input = z.strictObject({
  position: z.int().nonnegative().optional(),
  /** Milliseconds since the epoch. */
  time: z.int().nonnegative().optional(),
  user: z.string().max(OPERATION_TEXTS.userName).optional(),
  client: z.string().max(OPERATION_TEXTS.clientId).optional(),
  scope: z.string().max(OPERATION_TEXTS.scope).optional(),
});

export interface AsOfHeader {
  /** The position of the last included event. */
  readonly as_of: number;
  /** When that event was recorded, in milliseconds since the epoch; null if the log is empty. */
  readonly recorded_at: number | null;
}

interface AsOfContext extends LogHistory {
  readonly log: Pick<EventLog, 'head'>;
}

/**
 * Lists who had access to what at a point in time, using only the events up to that point.
 * @throws OperationRefused while iterating, if the position is beyond the end of the log, or the query contains an
 * unknown user or client
 */
export const asOf = streamingOperation(input, async function* (query, { projectionsAsOf, log }: AsOfContext) {
  const head = log.head();
  if (query.position !== undefined && query.position > head) {
    throw new OperationRefused(`position ${query.position} does not exist: the log ends at position ${head}`);
  }
  const { projections, last } = await projectionsAsOf({
    position: query.position ?? Infinity,
    time: query.time ?? Infinity,
  });
  const [unknownKind] = findUnknownNames(projections, query);
  if (unknownKind === 'user')
    throw new OperationRefused(`no user had the name ${query.user} at that time; erased users cannot be found by name`);
  if (unknownKind === 'client') throw new OperationRefused(`no client had the id ${query.client} at that time`);
  const now = Math.floor((query.time ?? last?.recordedAt ?? 0) / 1000);
  yield { as_of: last?.position ?? 0, recorded_at: last?.recordedAt ?? null } satisfies AsOfHeader;
  yield* reportAccess(projections, now, query);
});
