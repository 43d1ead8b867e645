import { isOwner, type WithMembers } from '../domain/members.ts';
import type { Position } from '../event-store/event-log.ts';
import type { ClientId, UserId } from '../domain/values.ts';

interface IndexedClient extends WithMembers {
  readonly clientId: ClientId;
  readonly registeredPosition: Position;
}

/** Finds the clients of a user. */
export interface MemberIndex {
  /** Updates the index. `before` is undefined if the client is new, `after` if it was removed. */
  replace(before: IndexedClient | undefined, after: IndexedClient | undefined): void;
  /** Returns the clients of which the user is an owner, in the order of their registration. */
  ownedBy(userId: UserId): Iterable<ClientId>;
  countOwnedBy(userId: UserId): number;
  /** Returns the clients of which the user is a member. */
  listByMember(userId: UserId): readonly ClientId[];
}

/** The clients of one owner. They are sorted at the next lookup if the user became an owner of an older client. */
interface OwnedClients {
  /** The positions at which the clients were registered. */
  positions: Map<ClientId, number>;
  newest: number;
  isSorted: boolean;
}

export function createMemberIndex(): MemberIndex {
  const owned = new Map<UserId, OwnedClients>();
  const joined = new Map<UserId, Set<ClientId>>();

  function addOwned(userId: UserId, { clientId, registeredPosition }: IndexedClient): void {
    const ownedClients = owned.get(userId) ?? { positions: new Map<ClientId, number>(), newest: -1, isSorted: true };
    owned.set(userId, ownedClients);
    if (ownedClients.positions.has(clientId)) return;
    ownedClients.positions.set(clientId, registeredPosition);
    ownedClients.isSorted &&= registeredPosition > ownedClients.newest;
    ownedClients.newest = Math.max(ownedClients.newest, registeredPosition);
  }

  function forget(before: IndexedClient, after: IndexedClient | undefined): void {
    for (const { userId } of before.members) {
      joined.get(userId)?.delete(before.clientId);
      if (after === undefined || !isOwner(after, userId)) owned.get(userId)?.positions.delete(before.clientId);
    }
  }

  function remember(client: IndexedClient): void {
    for (const { userId } of client.members) {
      joined.set(userId, (joined.get(userId) ?? new Set()).add(client.clientId));
      if (isOwner(client, userId)) addOwned(userId, client);
    }
  }

  return {
    replace(before, after) {
      if (before !== undefined) forget(before, after);
      if (after !== undefined) remember(after);
    },
    ownedBy(userId) {
      const ownedClients = owned.get(userId);
      if (ownedClients === undefined) return [];
      if (!ownedClients.isSorted)
        ownedClients.positions = new Map([...ownedClients.positions].toSorted(([, one], [, other]) => one - other));
      ownedClients.isSorted = true;
      return ownedClients.positions.keys();
    },
    countOwnedBy: (userId) => owned.get(userId)?.positions.size ?? 0,
    listByMember: (userId) => [...(joined.get(userId) ?? [])],
  };
}
