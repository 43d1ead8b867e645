import type { AuditedEvent } from './audited-event.ts';
import type { History } from './history.ts';
import { finding, type EventRule, type Violation } from './rule.ts';

function checkRemoval(
  { event: { type, data }, record: { stream } }: AuditedEvent,
  { groups }: History,
): Violation | undefined {
  if (type !== 'GroupRemoved') return undefined;
  const group = groups.inStream(stream);
  if (group?.groupId !== data.groupId) return finding(`the group ${data.groupId} was not created in this stream`);
  return group.removedAt === null ? undefined : finding(`the group ${data.groupId} was already removed`);
}

function checkMembership({ event: { type, data } }: AuditedEvent, { groups }: History): Violation | undefined {
  if (type !== 'GroupMemberAdded' && type !== 'GroupMemberRemoved') return undefined;
  const group = groups.find(data.groupId);
  if (group === undefined) return finding(`the group ${data.groupId} never existed`);
  const isMember = group.members.has(data.userId);
  if (type === 'GroupMemberRemoved')
    return isMember ? undefined : finding(`user ${data.userId} was removed from a group that they were not in`);
  if (isMember) return finding(`user ${data.userId} was added to a group that they were already in`);
  return group.removedAt === null ? undefined : finding(`user ${data.userId} was added to a group that was removed`);
}

function checkTitle(
  { event: { type, data }, record: { stream } }: AuditedEvent,
  { groups }: History,
): Violation | undefined {
  if (type !== 'GroupTitleChanged') return undefined;
  const group = groups.inStream(stream);
  return group?.groupId === data.groupId && group.removedAt === null
    ? undefined
    : finding(`no group ${data.groupId} exists in this stream`);
}

export const groupRules: readonly EventRule[] = [
  {
    name: 'group-names-are-unique',
    description: 'No two groups have the same name at the same time.',
    check({ event: { type, data } }, { groups }) {
      return type === 'GroupCreated' && groups.hasName(data.name)
        ? finding(`a group named ${JSON.stringify(data.name)} already exists`)
        : undefined;
    },
  },
  {
    name: 'a-group-is-removed-once',
    description: 'A group is removed at most once, in the stream that created it.',
    check: checkRemoval,
  },
  {
    name: 'existing-groups-get-titles',
    description: 'The title of a group changes only while the group exists, in the stream that created it.',
    check: checkTitle,
  },
  {
    name: 'group-members-change-once',
    description:
      'A user is added only to a group that exists and that they are not in, and removed only from a group that ' +
      'they are in.',
    check: checkMembership,
  },
];
