import { ownersOf } from '../../domain/members.ts';
import type { Client } from '../../projections/clients.ts';
import type { Users } from '../../projections/users.ts';

type Published = Pick<Client, 'clientId' | 'document' | 'members' | 'selfRegistered'>;

/** The publisher of the application, as users see it: the owner who has been an owner for the longest time. */
export function publisherOf(client: Published | undefined, users: Pick<Users, 'find'>): string {
  const first = client && ownersOf(client)[0];
  return (first && users.find(first.userId)?.username) ?? withoutOwner(client);
}

function withoutOwner(client: Published | undefined): string {
  if (client?.document !== undefined) return new URL(client.clientId).host; // only that host can have described it
  return client?.selfRegistered ? 'itself (not verified)' : 'the operator of this server';
}
