import { z } from 'zod';
import { didYouMean } from '../config/did-you-mean.ts';
import { EVENT_TYPES } from '../domain/events.ts';
import { clientStream } from '../domain/streams.ts';
import { normalizeUserName } from '../domain/user-name.ts';
import type { ClientId, UserId } from '../domain/values.ts';
import { hasEvents } from '../audit/queries/has-events.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { createEventFilter, type EventFilter } from '../audit/queries/event-filter.ts';
import type { OperationContext } from './operation-context.ts';
import { OperationRefused } from './control/operation-refused.ts';

/** Filters for operations on events. A missing filter excludes nothing. */
export const filterFields = {
  /** Events of any of these types. */
  types: z
    .array(z.enum(EVENT_TYPES, { error: ({ input }) => unknownType(String(input)) }))
    .min(1)
    .optional(),
  /** The user's current name. */
  user: z.string().max(OPERATION_TEXTS.userName).optional(),
  client: z.string().max(OPERATION_TEXTS.clientId).optional(),
  /** Inclusive lower bound of the recording time, in milliseconds since the epoch. */
  since: z.int().nonnegative().optional(),
  /** Exclusive upper bound, so that consecutive exports do not overlap; milliseconds since the epoch. */
  until: z.int().nonnegative().optional(),
};

type FilterInput = z.output<z.ZodObject<typeof filterFields>>;

/**
 * Builds the filter for `input`. Returns undefined if `input` is empty.
 * @throws OperationRefused if no user has that name, or no client ever had that id
 */
export async function filterFor(
  input: FilterInput,
  { log, projections }: Pick<OperationContext, 'log' | 'projections'>,
): Promise<EventFilter | undefined> {
  if (Object.values(input).every((value) => value === undefined)) return undefined;
  const { user, client, types, since, until } = input;
  const userId = user === undefined ? undefined : requireUserId(user, projections.users);
  const clientId = client as ClientId | undefined;
  // Removed clients are not in the projection, but their events are still in the log.
  if (clientId !== undefined && !(await hasEvents(clientStream(clientId), log)))
    throw new OperationRefused(
      `no client ever had the id ${JSON.stringify(client)}; see: grantlog client list`,
      'unknown',
    );
  return createEventFilter({ types, userId, clientId, since, until }, log);
}

function requireUserId(name: string, users: OperationContext['projections']['users']): UserId {
  const user = users.findByName(normalizeUserName(name));
  if (user === undefined)
    throw new OperationRefused(
      `no user is named ${JSON.stringify(name)}; erased users cannot be found by name`,
      'unknown',
    );
  return user.userId;
}

/** Returns the names of all event types. */
export const eventTypes = (): readonly string[] => EVENT_TYPES;

/** Returns the problem with the name of an event type, or undefined if the type exists. */
export function eventTypeProblem(type: string): string | undefined {
  return EVENT_TYPES.some((knownType) => knownType === type) ? undefined : unknownType(type);
}

function unknownType(type: string): string {
  const suggestion = didYouMean(type, EVENT_TYPES);
  const advice = suggestion === undefined ? 'event types have names like GrantRevoked' : `did you mean ${suggestion}?`;
  return `unknown event type ${JSON.stringify(type)}; ${advice}`;
}
