import { accept, noChange, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import { MAX_LENGTH } from './lengths.ts';
import { normalForm } from './normal-form.ts';
import { unreachable, type GroupId } from './values.ts';

/**
 * The events of the stream group-<hash of the folded name>, which is shared by all groups that have ever had the name.
 * The streams of groups from earlier releases are named after hashes of the exact names.
 */
export type GroupEvent = EventOf<'GroupCreated' | 'GroupTitleChanged' | 'GroupRemoved'>;

export type GroupCommand =
  | { readonly type: 'CreateGroup'; readonly groupId: GroupId; readonly name: string }
  /** Does nothing if the group already has this title. */
  | { readonly type: 'ChangeGroupTitle'; readonly groupId: GroupId; readonly title: string | null }
  | { readonly type: 'RemoveGroup'; readonly groupId: GroupId };

/** The group that currently has the name. Both members are null if no group has it. */
export interface GroupState {
  readonly groupId: GroupId | null;
  readonly title: string | null;
}

export type GroupRefusal = 'group-name-taken' | 'group-unknown';

export const group: Decider<GroupCommand, GroupState, GroupEvent, GroupRefusal> = {
  initial: { groupId: null, title: null },
  decide(command, { groupId, title }) {
    switch (command.type) {
      case 'CreateGroup':
        return groupId === null
          ? accept<GroupEvent>({ type: 'GroupCreated', data: { groupId: command.groupId, name: command.name } })
          : refuse('group-name-taken');
      case 'ChangeGroupTitle':
        if (groupId !== command.groupId) return refuse('group-unknown');
        return title === command.title
          ? noChange
          : accept<GroupEvent>({ type: 'GroupTitleChanged', data: { groupId, title: command.title } });
      case 'RemoveGroup':
        // Another group may have taken the name since the caller looked up the group.
        return groupId === command.groupId
          ? accept<GroupEvent>({ type: 'GroupRemoved', data: { groupId } })
          : refuse('group-unknown');
      default:
        return unreachable(command);
    }
  },
  evolve(_state, { type, data }) {
    if (type === 'GroupRemoved') return { groupId: null, title: null };
    return { groupId: data.groupId, title: type === 'GroupTitleChanged' ? data.title : null };
  },
};

/** Returns the stored form of a group name that a user entered. */
export function normalizeGroupName(name: string): string {
  return normalForm(name, MAX_LENGTH.groupName).trim();
}

/** Maps group names that differ only in case to the same string, as `foldedUserName` does for user names. */
export function foldedGroupName(name: string): string {
  return name.toUpperCase().toLowerCase().normalize('NFKC');
}

/** The maximum size of the `groups` claim, so that tokens with the claim fit in a request header. */
const MAX_CLAIM_BYTES = 4_096;

/** Reports whether a user's group names fit in the `groups` claim of a token. */
export function fitInTokens(names: readonly string[]): boolean {
  return new TextEncoder().encode(JSON.stringify(names)).length <= MAX_CLAIM_BYTES;
}
