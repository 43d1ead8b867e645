import { message, type Text } from '../../../language/message.ts';
import { EVENT_TYPES, type EventType } from '../../../domain/events.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import type { ClientId } from '../../../domain/values.ts';
import type { EventCriteria } from '../../../audit/queries/event-filter.ts';
import type { LeakedSource } from '../../../audit/queries/leaked-source.ts';
import type { Users } from '../../../projections/users.ts';
import type { FieldErrors } from '../page-context.ts';
import { createEnteredTimes } from './entered-times.ts';
import { parseMoment } from '../times.ts';
import { severalClientsError } from './past-names.ts';
import type { Query } from '../../pipeline/query.ts';

/** The filters as entered, even if invalid. Times are in UTC. */
export interface EnteredFilters {
  readonly types: readonly string[];
  readonly user: string;
  readonly client: string;
  readonly since: string;
  readonly until: string;
}

export interface Filters {
  readonly entered: EnteredFilters;
  readonly errors: FieldErrors;
  /** Undefined if a filter is invalid. */
  readonly criteria: EventCriteria | undefined;
}

export interface FilterDeps {
  readonly users: Pick<Users, 'findByName'>;
  /** Suggests ids for an unknown client id. Resolves with undefined if the client is known, even if it was removed. */
  readonly suggestIds: (source: LeakedSource) => Promise<readonly string[] | undefined>;
}

/** Reads the event filters. `log tail` and `log export` have the same filters. */
export async function readFilters(query: Query, { users, suggestIds }: FilterDeps): Promise<Filters> {
  const times = createEnteredTimes(query.text('time_zone'));
  const enteredValues = {
    types: query.list('type'),
    user: query.text('user') ?? '',
    client: query.text('client') ?? '',
    since: times.inUtc(query.text('since') ?? '', 'first'),
    until: times.inUtc(query.text('until') ?? '', 'last'),
  };
  const errors: Record<string, Text> = {};
  const readField = <Value>(
    name: string,
    text: string,
    parse: (text: string) => Value | undefined,
    problem: Text,
  ): Value | undefined => {
    if (text === '') return undefined;
    const value = parse(text);
    if (value === undefined) errors[name] = problem;
    return value;
  };
  const types = enteredValues.types.filter(isEventType);
  if (types.length < enteredValues.types.length) errors['type'] = message('filters.unknown-type');
  const criteria = {
    types: types.length === 0 ? undefined : types,
    userId: readField(
      'user',
      enteredValues.user,
      (name) => users.findByName(normalizeUserName(name))?.userId,
      message('filters.unknown-user'),
    ),
    since: readField('since', enteredValues.since, parseMoment, INVALID_TIME),
    until: readField('until', enteredValues.until, parseMoment, INVALID_TIME),
  };
  const { since, until } = criteria;
  if (since !== undefined && until !== undefined && until <= since) errors['until'] = message('filters.until-first');
  const client = await resolveClient(enteredValues.client, suggestIds);
  if (client.error !== undefined) errors['client'] = client.error;
  const isValid = Object.keys(errors).length === 0;
  return { entered: enteredValues, errors, criteria: isValid ? { ...criteria, clientId: client.id } : undefined };
}

/**
 * Returns the id of the application with this client id, or of the only application with this name. Returns an error if
 * no application or more than one has the name.
 */
async function resolveClient(
  text: string,
  suggestIds: FilterDeps['suggestIds'],
): Promise<{ readonly id?: ClientId | undefined; readonly error?: Text }> {
  if (text === '') return {};
  const ids = await suggestIds({ kind: 'client', clientId: text });
  if (ids === undefined) return { id: text as ClientId };
  if (ids.length === 0) return { error: message('filters.unknown-client') };
  return ids.length === 1 ? { id: ids[0] as ClientId } : { error: severalClientsError(ids) };
}

export const INVALID_TIME = message('as-of.invalid-time');

/** Returns the URL of a page with these filters and additional fields. */
export function filteredUrl(
  path: string,
  { types, ...fields }: EnteredFilters,
  additionalFields: Readonly<Record<string, string | number>> = {},
): string {
  const query = new URLSearchParams();
  for (const type of types) query.append('type', type);
  for (const [name, value] of [...Object.entries(fields), ...Object.entries(additionalFields)])
    if (value !== '') query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function isEventType(type: string): type is EventType {
  return EVENT_TYPES.some((eventType) => eventType === type);
}
