import { isOwner, type WithMembers } from '../domain/members.ts';
import type { Position } from '../event-store/event-log.ts';
import type { ClientId, UserId } from '../domain/values.ts';

interface IndexedClient extends WithMembers {
  readonly clientId: ClientId;
  readonly registeredPosition: Position;
}

/** Finds a user's clients. */
export interface MemberIndex {
  /** Updates the index. `previous` is undefined if the client is new, `current` if it was removed. */
  replace(previous: IndexedClient | undefined, current: IndexedClient | undefined): void;
  /** Returns the clients that the user owns, in the order of their registration. */
  ownedBy(userId: UserId): Iterable<ClientId>;
  countOwnedBy(userId: UserId): number;
  /** Returns the clients that the user is a member of. */
  listByMember(userId: UserId): readonly ClientId[];
}

/** The clients of one owner. They are sorted at the next lookup if the user became an owner of an older client. */
interface OwnedClients {
  /** The positions where the clients were registered. */
  positions: Map<ClientId, number>;
  newest: number;
  isSorted: boolean;
}

export function createMemberIndex(): MemberIndex {
  const ownedByUser = new Map<UserId, OwnedClients>();
  const joinedByUser = new Map<UserId, Set<ClientId>>();

  function addOwned(userId: UserId, { clientId, registeredPosition }: IndexedClient): void {
    const ownedClients = ownedByUser.get(userId) ?? {
      positions: new Map<ClientId, number>(),
      newest: -1,
      isSorted: true,
    };
    ownedByUser.set(userId, ownedClients);
    if (ownedClients.positions.has(clientId)) return;
    ownedClients.positions.set(clientId, registeredPosition);
    ownedClients.isSorted &&= registeredPosition > ownedClients.newest;
    ownedClients.newest = Math.max(ownedClients.newest, registeredPosition);
  }

  function forget(previous: IndexedClient, current: IndexedClient | undefined): void {
    for (const { userId } of previous.members) {
      joinedByUser.get(userId)?.delete(previous.clientId);
      if (current === undefined || !isOwner(current, userId))
        ownedByUser.get(userId)?.positions.delete(previous.clientId);
    }
  }

  function remember(client: IndexedClient): void {
    for (const { userId } of client.members) {
      joinedByUser.set(userId, (joinedByUser.get(userId) ?? new Set()).add(client.clientId));
      if (isOwner(client, userId)) addOwned(userId, client);
    }
  }

  return {
    replace(previous, current) {
      if (previous !== undefined) forget(previous, current);
      if (current !== undefined) remember(current);
    },
    ownedBy(userId) {
      const ownedClients = ownedByUser.get(userId);
      if (ownedClients === undefined) return [];
      if (!ownedClients.isSorted)
        ownedClients.positions = new Map([...ownedClients.positions].toSorted(([, left], [, right]) => left - right));
      ownedClients.isSorted = true;
      return ownedClients.positions.keys();
    },
    countOwnedBy: (userId) => ownedByUser.get(userId)?.positions.size ?? 0,
    listByMember: (userId) => [...(joinedByUser.get(userId) ?? [])],
  };
}
