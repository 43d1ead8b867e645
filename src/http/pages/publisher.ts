import { ownersOf } from '../../domain/members.ts';
import { message, type Text } from '../../language/message.ts';
import type { Client } from '../../projections/clients.ts';
import type { Users } from '../../projections/users.ts';

type Published = Pick<Client, 'clientId' | 'document' | 'members' | 'selfRegistered'>;

/** Returns the publisher of the application, as users see it: the owner who has been an owner for the longest time. */
export function publisherOf(client: Published | undefined, users: Pick<Users, 'find'>): Text {
  const first = client && ownersOf(client)[0];
  return (first && users.find(first.userId)?.username) ?? withoutOwner(client);
}

function withoutOwner(client: Published | undefined): Text {
  if (client?.document !== undefined) return new URL(client.clientId).host; // only that host can have described it
  return message(client?.selfRegistered ? 'publisher.itself' : 'publisher.operator');
}
