import { isOwner, type WithMembers } from '../domain/members.ts';
import type { Position } from '../event-store/event-log.ts';
import type { ClientId, UserId } from '../domain/values.ts';

interface IndexedClient extends WithMembers {
  readonly clientId: ClientId;
  readonly registeredPosition: Position;
}

/** Finds a user's clients. */
export interface MemberIndex {
  /** Updates the index. `previous` is undefined if the client is new; `current` is undefined if it was removed. */
  replace(previous: IndexedClient | undefined, current: IndexedClient | undefined): void;
  /** Returns the clients that the user owns, in the order of their registration. */
  ownedBy(userId: UserId): Iterable<ClientId>;
  countOwnedBy(userId: UserId): number;
  /** Returns the clients that the user is a member of. */
  listByMember(userId: UserId): readonly ClientId[];
}

/** The clients of one owner. If the owner is given an older client, the next lookup sorts the clients. */
interface OwnedClients {
  /** The position at which each client was registered. */
  positions: Map<ClientId, number>;
  newestPosition: number;
  isSorted: boolean;
}

export function createMemberIndex(): MemberIndex {
  const ownedByUser = new Map<UserId, OwnedClients>();
  const clientIdsByMember = new Map<UserId, Set<ClientId>>();

  function addOwned(userId: UserId, { clientId, registeredPosition }: IndexedClient): void {
    const ownedClients = ownedByUser.get(userId) ?? {
      positions: new Map<ClientId, number>(),
      newestPosition: -1,
      isSorted: true,
    };
    ownedByUser.set(userId, ownedClients);
    if (ownedClients.positions.has(clientId)) return;
    ownedClients.positions.set(clientId, registeredPosition);
    ownedClients.isSorted &&= registeredPosition > ownedClients.newestPosition;
    ownedClients.newestPosition = Math.max(ownedClients.newestPosition, registeredPosition);
  }

  function removeClient(previous: IndexedClient, current: IndexedClient | undefined): void {
    for (const { userId } of previous.members) {
      clientIdsByMember.get(userId)?.delete(previous.clientId);
      if (current === undefined || !isOwner(current, userId))
        ownedByUser.get(userId)?.positions.delete(previous.clientId);
    }
  }

  function addClient(client: IndexedClient): void {
    for (const { userId } of client.members) {
      clientIdsByMember.set(userId, (clientIdsByMember.get(userId) ?? new Set()).add(client.clientId));
      if (isOwner(client, userId)) addOwned(userId, client);
    }
  }

  return {
    replace(previous, current) {
      if (previous !== undefined) removeClient(previous, current);
      if (current !== undefined) addClient(current);
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
    listByMember: (userId) => [...(clientIdsByMember.get(userId) ?? [])],
  };
}
