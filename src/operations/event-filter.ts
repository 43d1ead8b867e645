import { z } from 'zod';
import { EVENT_TYPES } from '../domain/events.ts';
import { normalUserName } from '../domain/user-name.ts';
import type { ClientId, UserId } from '../domain/values.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { createEventFilter, type EventFilter } from '../audit/queries/event-filter.ts';
import type { OperationContext } from './operation-context.ts';
import { OperationRefused } from './refused.ts';

/** What an operation on events can be narrowed to; what is not given leaves nothing out. */
export const filterFields = {
  /** Any of these. */
  types: z
    .array(z.enum(EVENT_TYPES, { error: `there is no such event type; there are ${EVENT_TYPES.join(', ')}` }))
    .min(1)
    .optional(),
  /** A user's name, as of now. */
  user: z.string().max(OPERATION_TEXTS.userName).optional(),
  client: z.string().max(OPERATION_TEXTS.clientId).optional(),
  /** Recorded then or later; milliseconds since the epoch. */
  since: z.int().nonnegative().optional(),
  /** Recorded before then, so that one export goes on where the one before ended; milliseconds since the epoch. */
  until: z.int().nonnegative().optional(),
};

type FilterInput = z.output<z.ZodObject<typeof filterFields>>;

/**
 * The filter for what was asked; undefined when everything was.
 * @throws OperationRefused nobody has the name that was asked for
 */
export function filterFor(
  asked: FilterInput,
  { log, projections }: Pick<OperationContext, 'log' | 'projections'>,
): EventFilter | undefined {
  if (Object.values(asked).every((value) => value === undefined)) return undefined;
  const { user, client, types, since, until } = asked;
  const userId = user === undefined ? undefined : requireUserId(user, projections.users);
  return createEventFilter({ types, userId, clientId: client as ClientId | undefined, since, until }, log);
}

function requireUserId(name: string, users: OperationContext['projections']['users']): UserId {
  const user = users.findByName(normalUserName(name));
  if (user === undefined)
    throw new OperationRefused(
      `there is no user ${JSON.stringify(name)}; one that was erased has no name any more that events could be found by`,
    );
  return user.userId;
}
