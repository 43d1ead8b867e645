import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { ownersOf } from '../domain/members.ts';
import { normalizeUserName } from '../domain/user-name.ts';
import { CLIENT_TYPES } from '../domain/values.ts';
import { containsText } from '../lists/folded-text.ts';
import type { Client } from '../projections/clients.ts';
import type { Users } from '../projections/users.ts';

/** The filters for the client list, the same as on the page. */
export const clientListFilters = z.strictObject({
  search: z.string().max(OPERATION_TEXTS.checkedText).optional(),
  clientType: z.enum(CLIENT_TYPES).optional(),
  status: z.enum(['live', 'test', 'disabled']).optional(),
  /** The name of a user who manages it. */
  owner: z.string().max(OPERATION_TEXTS.userName).optional(),
});

/** Reports whether the client matches all filters. */
export function isListedClient(
  client: Client,
  { search = '', clientType, status, owner }: z.output<typeof clientListFilters>,
  users: Pick<Users, 'find'>,
): boolean {
  if (clientType !== undefined && client.clientType !== clientType) return false;
  if (status !== undefined && clientStatus(client) !== status) return false;
  const owners = ownersOf(client).flatMap(({ userId }) => users.find(userId)?.username ?? []);
  if (owner !== undefined && !owners.includes(normalizeUserName(owner))) return false;
  return containsText([client.name, client.clientId, ...owners], search);
}

/** Returns the status to filter by. A disabled client keeps its mode, but counts as disabled. */
function clientStatus({ disabledAt, mode }: Client): 'live' | 'test' | 'disabled' {
  return disabledAt === undefined ? mode : 'disabled';
}
