import { ownersOf } from '../../domain/members.ts';
import { message, type Text } from '../../language/message.ts';
import type { Client } from '../../projections/clients.ts';
import type { Users } from '../../projections/users.ts';

type PublishedClient = Pick<Client, 'clientId' | 'document' | 'members' | 'selfRegistered'>;

/**
 * Returns the publisher of an application, as shown to users: its longest-standing owner or, if it has no owners, the
 * host of its metadata document, the application itself or the operator.
 */
export function publisherOf(client: PublishedClient | undefined, users: Pick<Users, 'find'>): Text {
  const firstOwner = client && ownersOf(client)[0];
  return (firstOwner && users.find(firstOwner.userId)?.username) ?? publisherWithoutOwner(client);
}

function publisherWithoutOwner(client: PublishedClient | undefined): Text {
  if (client?.document !== undefined) return new URL(client.clientId).host; // only that host could have published it
  return message(client?.selfRegistered ? 'publisher.itself' : 'publisher.operator');
}
