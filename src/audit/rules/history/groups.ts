import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

/** A group according to its stream, and its members according to the streams of the users. */
interface GroupRecord {
  readonly groupId: string;
  readonly name: string;
  /** Including erased accounts. */
  readonly members: Set<string>;
  /** When it was removed, in milliseconds since the epoch; null while it exists. */
  removedAt: number | null;
}

export interface GroupHistory {
  /** Returns undefined if the group never existed. */
  find(groupId: string): Readonly<GroupRecord> | undefined;
  /** Returns the latest group in the stream of a name. */
  inStream(stream: StreamName): Readonly<GroupRecord> | undefined;
  /** Reports whether a group that has not been removed has the name. */
  hasName(name: string): boolean;
  apply(auditedEvent: AuditedEvent): void;
}

export function createGroupHistory(): GroupHistory {
  const byId = new Map<string, GroupRecord>();
  const byStream = new Map<StreamName, GroupRecord>();
  const names = new Set<string>();

  return {
    find: (groupId) => byId.get(groupId),
    inStream: (stream) => byStream.get(stream),
    hasName: (name) => names.has(name),
    apply({ event: { type, data }, record: { stream, recordedAt } }) {
      if (type === 'GroupCreated') {
        const group: GroupRecord = { groupId: data.groupId, name: data.name, members: new Set(), removedAt: null };
        byId.set(data.groupId, group);
        byStream.set(stream, group);
        names.add(data.name);
      }
      if (type === 'GroupMemberAdded') byId.get(data.groupId)?.members.add(data.userId);
      if (type === 'GroupMemberRemoved') byId.get(data.groupId)?.members.delete(data.userId);
      if (type !== 'GroupRemoved') return;
      const group = byId.get(data.groupId);
      if (group === undefined || group.removedAt !== null) return;
      group.removedAt = recordedAt;
      names.delete(group.name);
    },
  };
}
