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

/** A notice that states how many users were added, and which were not. */
interface AdditionNotice {
  readonly notice: Message;
  readonly tone: 'good' | 'warning';
}

/**
 * Adds users to a group, one at a time. If a user cannot be added, the remaining users still are.
 * @returns the notice to show
 */
export async function addToGroup(
  chosen: readonly User[],
  group: Group,
  ctx: RequestContext,
  { groupDirectory }: { readonly groupDirectory: Pick<GroupDirectory, 'changeGroups'> },
): Promise<AdditionNotice> {
  const refused: string[] = [];
  for (const user of chosen) {
    const context = userCommandContext(ctx, actingUser(ctx));
    const refusal = await groupDirectory.changeGroups(user, { add: [group], remove: [] }, context);
    if (refusal !== undefined) refused.push(user.username);
  }
  return noticeOf(chosen, refused, group);
}

function noticeOf(chosen: readonly User[], refused: readonly string[], { name: group }: Group): AdditionNotice {
  const [first] = chosen;
  if (first === undefined) return { notice: message('group.none-chosen'), tone: 'warning' };
  const addedCount = chosen.length - refused.length;
  if (refused.length > 0)
    return {
      notice: message('group.some-added', { added: addedCount, users: { names: refused }, group }),
      tone: 'warning',
    };
  if (addedCount === 1) return { notice: message('group.added', { username: first.username, group }), tone: 'good' };
  return { notice: message('group.all-added', { added: addedCount, group }), tone: 'good' };
}
