import { ownersOf } from '../../domain/members.ts';
import type { Client } from '../../projections/clients.ts';
import type { Users } from '../../projections/users.ts';

/** The publisher of the application, as users see it: its longest-standing owner. */
export function publisherOf(
  client: Pick<Client, 'members' | 'selfRegistered'> | undefined,
  users: Pick<Users, 'find'>,
): string {
  const first = client && ownersOf(client)[0];
  return (
    (first && users.find(first.userId)?.username) ??
    (client?.selfRegistered ? 'itself (not verified)' : 'the operator of this server')
  );
}
