import { decodeEvent, type EventOf, type SecretHash } from '../domain/events.ts';
import { unreachable, type ClientId, type UserId } from '../domain/values.ts';
import type { Position, RecordedEvent } from '../eventsourcing/event-log.ts';
import type { Projection } from '../eventsourcing/projector.ts';

export interface Client extends Readonly<EventOf<'ClientUpdated'>['data']> {
  readonly clientId: ClientId;
  readonly ownerId: UserId | null;
  readonly secret: SecretHash | null;
  /** Seconds since the epoch. */
  readonly registeredAt: number;
  readonly registeredPosition: Position;
}

/** The registered clients; a removed one is not among them. */
export interface Clients extends Projection {
  find(clientId: string): Client | undefined;
  ownedBy(ownerId: UserId): readonly Client[];
  all(): readonly Client[];
}

export function createClients(): Clients {
  const byId = new Map<string, Client>();
  const byOwner = new Map<UserId, Set<ClientId>>();

  function register(event: RecordedEvent, data: EventOf<'ClientRegistered'>['data']): void {
    byId.set(data.clientId, {
      ...data,
      registeredAt: Math.floor(event.recordedAt / 1000),
      registeredPosition: event.position,
    });
    if (data.ownerId === null) return;
    const owned = byOwner.get(data.ownerId) ?? new Set();
    byOwner.set(data.ownerId, owned.add(data.clientId));
  }

  function change(clientId: string, changes: Partial<Client>): void {
    const client = byId.get(clientId);
    if (client !== undefined) byId.set(clientId, { ...client, ...changes });
  }

  function remove(clientId: string): void {
    const client = byId.get(clientId);
    if (client === undefined) return;
    byId.delete(clientId);
    if (client.ownerId !== null) byOwner.get(client.ownerId)?.delete(client.clientId);
  }

  return {
    name: 'clients',
    find: (clientId) => byId.get(clientId),
    ownedBy: (ownerId) => [...(byOwner.get(ownerId) ?? [])].flatMap((id) => byId.get(id) ?? []),
    all: () => [...byId.values()],
    contents: () => byId.values(),

    apply(event) {
      const { type, data } = decodeEvent(event);
      switch (type) {
        case 'ClientRegistered': return register(event, data);
        case 'ClientUpdated': return change(clientOf(event), data);
        case 'ClientSecretRotated': return change(clientOf(event), { secret: data.secret });
        case 'ClientRemoved': return remove(clientOf(event));
        case 'ConsentGiven': case 'AuthorizationCodeIssued': case 'AuthorizationCodeRedeemed': case 'AccessTokenIssued':
        case 'RefreshTokenIssued': case 'RefreshTokenRotated': case 'GrantRevoked':
        case 'UserRegistered': case 'UserProfileChanged': case 'PasswordChanged': case 'UserDisabled': case 'UserEnabled':
        case 'UserErased': case 'AllSessionsEnded': case 'SessionStarted': case 'SessionEnded': case 'GroupCreated':
          return;
        default: return unreachable(type);
      }
    },
  };
}

/** The client whose stream the event is in. */
export function clientOf({ stream }: RecordedEvent): string {
  return stream.slice('client-'.length);
}
