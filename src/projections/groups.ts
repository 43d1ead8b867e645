import type { EventOf } from '../domain/events.ts';
import type { EpochSeconds, GroupId, UserId } from '../domain/values.ts';
import type { Position, RecordedEvent, Revision, StreamName } from '../event-store/event-log.ts';
import type { Projection } from '../event-store/projector.ts';
import { handleEvents } from './event-handlers.ts';
import { jsonPieces, parseEntries } from './json-pieces.ts';
import { recordedSecond } from '../domain/recorded-second.ts';

export interface Group {
  /** Groups are numbered from 1 in the order of the log. Numbers are never reused. */
  readonly id: number;
  readonly groupId: GroupId;
  readonly name: string;
  /** The name shown to people, or null if the group has none. */
  readonly title: string | null;
  readonly stream: StreamName;
  /** The revision of the stream. A decision based on it is outdated once the stream has grown. */
  readonly revision: Revision;
  readonly createdPosition: Position;
  readonly createdAt: EpochSeconds;
}

export interface GroupMember {
  readonly userId: UserId;
  readonly since: EpochSeconds;
  /** The position of the event that made the user a member. */
  readonly position: Position;
}

/** The groups with their members, excluding removed groups and erased users. */
export interface Groups extends Projection {
  /** Returns at most `limit` groups with an id greater than `after`, in ascending order. */
  page(after: number, limit: number): readonly Group[];
  all(): readonly Group[];
  find(id: number): Group | undefined;
  /**
   * Returns the group with this name, unless it was removed.
   * @param name the name in its stored form
   */
  findByName(name: string): Group | undefined;
  /** Returns the members in the order they joined. */
  membersOf(groupId: GroupId): readonly GroupMember[];
  /** Returns the user's groups, sorted by name. */
  listByUser(userId: UserId): readonly Group[];
  /** Returns the names of the user's groups, in alphabetical order. */
  namesOf(userId: UserId): readonly string[];
  /** Returns the name of the group, even after its removal. */
  nameOf(groupId: GroupId): string | undefined;
}

interface GroupWithMembers {
  readonly group: Group;
  readonly members: Map<UserId, GroupMember>;
}

/** A group in a snapshot: a list, because property names would make it larger than its events. */
type Entry = readonly [
  groupId: GroupId,
  name: string,
  id: number,
  stream: StreamName,
  revision: Revision,
  createdPosition: Position,
  createdAt: EpochSeconds,
  members: readonly (readonly [UserId, since: EpochSeconds, position: Position])[],
  title: string | null,
];

type RemovedEntry = readonly [groupId: GroupId, name: string];

/** The number of groups that have ever existed. The next group gets the next number, so numbers are never reused. */
interface GroupCount {
  readonly count: number;
}

export function createGroups(): Groups {
  /** The groups in ascending order of their numbers. */
  const byId = new Map<GroupId, GroupWithMembers>();
  const byName = new Map<string, GroupId>();
  const byUser = new Map<UserId, Set<GroupId>>();
  /** The names of removed groups, for events that refer to them. */
  const removedNames = new Map<GroupId, string>();
  let count = 0;

  function add(group: Group, members: Entry[7]): void {
    const memberEntries = members.map(([userId, since, position]) => [userId, { userId, since, position }] as const);
    byId.set(group.groupId, { group, members: new Map(memberEntries) });
    byName.set(group.name, group.groupId);
    for (const [userId] of members) join(userId, group.groupId);
  }

  function join(userId: UserId, groupId: GroupId): void {
    byUser.set(userId, (byUser.get(userId) ?? new Set()).add(groupId));
  }

  function create({ groupId, name }: EventOf<'GroupCreated'>['data'], event: RecordedEvent): void {
    count += 1;
    const { stream, revision, position: createdPosition } = event;
    add(
      { id: count, groupId, name, title: null, stream, revision, createdPosition, createdAt: recordedSecond(event) },
      [],
    );
  }

  function remove({ groupId }: EventOf<'GroupRemoved'>['data']): void {
    const entry = byId.get(groupId);
    if (entry === undefined) return;
    for (const userId of entry.members.keys()) leave(userId, groupId);
    byId.delete(groupId);
    byName.delete(entry.group.name);
    removedNames.set(groupId, entry.group.name);
  }

  function changeTitle({ groupId, title }: EventOf<'GroupTitleChanged'>['data'], { revision }: RecordedEvent): void {
    const entry = byId.get(groupId);
    if (entry !== undefined) byId.set(groupId, { ...entry, group: { ...entry.group, title, revision } });
  }

  function leave(userId: UserId, groupId: GroupId): void {
    const groups = byUser.get(userId);
    groups?.delete(groupId);
    if (groups?.size === 0) byUser.delete(userId);
  }

  const handlers = handleEvents<'groups'>({
    GroupCreated: create,
    GroupTitleChanged: changeTitle,
    GroupRemoved: remove,
    GroupMemberAdded({ userId, groupId }, event) {
      const entry = byId.get(groupId);
      if (entry === undefined) return; // the group was removed concurrently
      entry.members.set(userId, { userId, since: recordedSecond(event), position: event.position });
      join(userId, groupId);
    },
    GroupMemberRemoved({ userId, groupId }) {
      byId.get(groupId)?.members.delete(userId);
      leave(userId, groupId);
    },
    UserErased({ userId }) {
      for (const groupId of byUser.get(userId) ?? []) byId.get(groupId)?.members.delete(userId);
      byUser.delete(userId);
    },
  });

  const listAll = (): readonly Group[] => [...byId.values()].map(({ group }) => group);
  const listByUser = (userId: UserId): readonly Group[] =>
    [...(byUser.get(userId) ?? [])]
      .flatMap((groupId) => byId.get(groupId)?.group ?? [])
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const contents = (): readonly object[] => [
    ...[...byId.values()].map(({ group, members }) => ({ ...group, members: [...members.values()] })),
    ...removedNames,
  ];

  return {
    name: 'groups',
    page: (after, limit) =>
      listAll()
        .filter(({ id }) => id > after)
        .slice(0, limit),
    all: listAll,
    find: (id) => listAll().find((group) => group.id === id),
    findByName(name) {
      const groupId = byName.get(name);
      return groupId === undefined ? undefined : byId.get(groupId)?.group;
    },
    membersOf: (groupId) => [...(byId.get(groupId)?.members.values() ?? [])],
    listByUser,
    namesOf: (userId) => listByUser(userId).map(({ name }) => name),
    nameOf: (groupId) => byId.get(groupId)?.group.name ?? removedNames.get(groupId),
    contents,
    freeze: () => jsonPieces([...[...byId.values()].map(toEntry), ...removedNames, { count } satisfies GroupCount]),
    restore(piece) {
      for (const entry of parseEntries<Entry | RemovedEntry | GroupCount>(piece)) {
        if ('count' in entry) count = entry.count;
        else if (entry.length === 2) removedNames.set(...entry);
        else {
          const [groupId, name, id, stream, revision, createdPosition, createdAt, members, title] = entry;
          add({ id, groupId, name, title, stream, revision, createdPosition, createdAt }, members);
        }
      }
    },

    ...handlers,
  };
}

function toEntry({ group, members }: GroupWithMembers): Entry {
  const { groupId, name, title, id, stream, revision, createdPosition, createdAt } = group;
  const memberEntries = [...members.values()].map(({ userId, since, position }) => [userId, since, position] as const);
  return [groupId, name, id, stream, revision, createdPosition, createdAt, memberEntries, title];
}
