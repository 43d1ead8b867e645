import type { GroupChangeRefusal, GroupDirectory } from '../../../accounts/group-directory.ts';
import { message, type Message } from '../../../language/message.ts';
import type { Group } from '../../../projections/groups.ts';
import type { User } from '../../../projections/users.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';

export const REFUSAL_NOTICES: Readonly<Record<GroupChangeRefusal, Message>> = {
  'user-unknown': message('group.user-unknown'),
  'too-many-groups': message('group.too-many'),
};

/** A notice that reports how many users were added and names the users who could not be added. */
interface AdditionNotice {
  readonly notice: Message;
  readonly tone: 'good' | 'warning';
}

/**
 * Adds users to a group, one at a time. If a user cannot be added, continues with the next user.
 * @returns the notice to show
 */
export async function addToGroup(
  selectedUsers: readonly User[],
  group: Group,
  ctx: RequestContext,
  { groupDirectory }: { readonly groupDirectory: Pick<GroupDirectory, 'changeGroups'> },
): Promise<AdditionNotice> {
  const refusedNames: string[] = [];
  for (const user of selectedUsers) {
    const context = userCommandContext(ctx, actingUser(ctx));
    const refusal = await groupDirectory.changeGroups(user, { add: [group], remove: [] }, context);
    if (refusal !== undefined) refusedNames.push(user.username);
  }
  return additionNotice(selectedUsers, refusedNames, group);
}

function additionNotice(
  selectedUsers: readonly User[],
  refusedNames: readonly string[],
  { name: group }: Group,
): AdditionNotice {
  const [first] = selectedUsers;
  if (first === undefined) return { notice: message('group.none-chosen'), tone: 'warning' };
  const addedCount = selectedUsers.length - refusedNames.length;
  if (refusedNames.length > 0)
    return {
      notice: message('group.some-added', { added: addedCount, users: { names: refusedNames }, group }),
      tone: 'warning',
    };
  if (addedCount === 1) return { notice: message('group.added', { username: first.username, group }), tone: 'good' };
  return { notice: message('group.all-added', { added: addedCount, group }), tone: 'good' };
}
