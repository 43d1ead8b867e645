import { accept, refuse, type Decider } from '../event-store/decider.ts';
import type { EventOf } from './events.ts';
import { MAX_LENGTH } from './lengths.ts';
import { normalForm } from './normal-form.ts';
import type { GroupId } from './values.ts';

/** The events of the stream group-<hash of the name>. A stream can be created only once, which makes names unique. */
export type GroupEvent = EventOf<'GroupCreated'>;

export interface CreateGroup {
  readonly type: 'CreateGroup';
  readonly groupId: GroupId;
  readonly name: string;
}

export const group: Decider<CreateGroup, { readonly exists: boolean }, GroupEvent, 'group-name-taken'> = {
  initial: { exists: false },
  decide({ groupId, name }, { exists }) {
    return exists ? refuse('group-name-taken') : accept<GroupEvent>({ type: 'GroupCreated', data: { groupId, name } });
  },
  evolve: () => ({ exists: true }),
};

/** The stored form of a group name that a user entered. */
export function normalGroupName(entered: string): string {
  return normalForm(entered, MAX_LENGTH.groupName).trim();
}
