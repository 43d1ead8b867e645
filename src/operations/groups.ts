import { z } from 'zod';
import type { GroupChangeRefusal, GroupChanges, GroupNameProblem } from '../accounts/group-directory.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { normalizeGroupName } from '../domain/group.ts';
import { MAX_LENGTH } from '../domain/lengths.ts';
import type { Group, Groups } from '../projections/groups.ts';
import type { User } from '../projections/users.ts';
import { invalidField } from './invalid-fields.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { requireUser } from './users.ts';

const name = z.string().min(1).max(OPERATION_TEXTS.checkedText);
/** The group directory validates these strings, which allows more specific messages. */
const newGroup = z.strictObject({
  name: z.string().max(OPERATION_TEXTS.checkedText),
  title: z.string().max(OPERATION_TEXTS.checkedText).optional(),
});
const username = z.string().min(1).max(OPERATION_TEXTS.userName);
/** An empty title removes the title. */
const changedGroup = z.strictObject({
  name,
  changes: z.strictObject({ title: z.string().max(OPERATION_TEXTS.checkedText).optional() }),
});
const membership = z.strictObject({ group: name, username });

/** A group, as printed by the command line. */
export interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly title: string | null;
  readonly members: number;
  readonly created_at: string;
}

/** A member of a group, as printed by the command line. */
interface GroupMemberRow {
  readonly id: number;
  readonly username: string;
  /** Whether the account is enabled. */
  readonly active: boolean;
  readonly since: string;
}

const TITLE_PROBLEM = `a group's title can have at most ${MAX_LENGTH.groupName} characters and no invisible characters`;

function toGroupRow({ id, groupId, name: groupName, title, createdAt }: Group, groups: Pick<Groups, 'membersOf'>) {
  const members = groups.membersOf(groupId).length;
  return { id, name: groupName, title, members, created_at: isoTime(createdAt) } satisfies GroupRow;
}

/** Describes the problem with a group name. */
export function groupNameProblem(problem: GroupNameProblem): string {
  return problem === 'invalid'
    ? `a group's name must have 1 to ${MAX_LENGTH.groupName} characters and no invisible characters`
    : `a group named ${problem.takenBy} already exists`;
}

export const GROUP_REFUSALS: Readonly<Record<GroupChangeRefusal, string>> = {
  'user-unknown': 'the account has been erased',
  'too-many-groups':
    "the names of a user's groups can be at most 4,096 bytes long in total, because tokens contain them",
};

export const groupOperations: Readonly<Record<string, Operation>> = {
  'group add': operation(newGroup, async (input, { groupDirectory, projections, cause }) => {
    const { title = '' } = input;
    if (groupDirectory.titleProblem(title) !== undefined) throw invalidField('title', TITLE_PROBLEM);
    const problem = await groupDirectory.create(input.name, cause);
    if (problem === 'invalid') throw invalidField('name', groupNameProblem(problem));
    if (problem !== undefined) throw new OperationRefused(groupNameProblem(problem));
    const group = projections.groups.findByName(normalizeGroupName(input.name));
    if (group !== undefined && title !== '') await groupDirectory.changeTitle(group, title, cause);
    return { id: group?.id, name: group?.name };
  }),

  'group list': streamingOperation(z.strictObject({}), async function* (_input, { projections: { groups } }) {
    for (const group of groups.all()) yield toGroupRow(group, groups);
  }),

  'group update': operation(changedGroup, async (input, context) => {
    const { title } = input.changes;
    const group = requireGroup(input.name, context);
    const problem =
      title === undefined ? undefined : await context.groupDirectory.changeTitle(group, title, context.cause);
    if (problem !== undefined) throw invalidField('title', TITLE_PROBLEM);
    return toGroupRow(requireGroup(input.name, context), context.projections.groups);
  }),

  'group show': streamingOperation(z.strictObject({ name }), async function* (input, context) {
    const { groups, users } = context.projections;
    for (const { userId, since } of groups.membersOf(requireGroup(input.name, context).groupId)) {
      const user = users.find(userId);
      if (user === undefined) continue;
      const { id, username: member, active } = user;
      yield { id, username: member, active, since: isoTime(since) } satisfies GroupMemberRow;
    }
  }),

  'group add-user': operation(membership, async (input, context) => {
    const [group, user] = [requireGroup(input.group, context), requireUser(input.username, context)];
    if (isMember(user, group, context))
      throw new OperationRefused(`${JSON.stringify(user.username)} is already in the group ${group.name}`, 'conflict');
    return changeGroups(user, { add: [group], remove: [] }, context);
  }),

  'group remove-user': operation(membership, async (input, context) => {
    const [group, user] = [requireGroup(input.group, context), requireUser(input.username, context)];
    if (!isMember(user, group, context)) {
      const reason = `${JSON.stringify(user.username)} is not in the group ${group.name}`;
      throw new OperationRefused(`${reason}; see: grantlog group show ${group.name}`, 'unknown');
    }
    return changeGroups(user, { add: [], remove: [group] }, context);
  }),

  'group remove': operation(z.strictObject({ name }), async (input, context) => {
    const group = requireGroup(input.name, context);
    const members = context.projections.groups.membersOf(group.groupId).length;
    await context.groupDirectory.remove(group, context.cause);
    return { id: group.id, name: group.name, members };
  }),
};

/**
 * Finds a group by its name.
 * @throws OperationRefused if there is no group with this name
 */
function requireGroup(groupName: string, { projections }: OperationContext): Group {
  const group = projections.groups.findByName(normalizeGroupName(groupName));
  if (group === undefined)
    throw new OperationRefused(`no group is named ${JSON.stringify(groupName)}; see: grantlog group list`, 'unknown');
  return group;
}

function isMember({ userId }: User, { groupId }: Group, { projections }: OperationContext): boolean {
  return projections.groups.listByUser(userId).some((group) => group.groupId === groupId);
}

/** Changes the user's groups, and returns the user with the new groups. */
async function changeGroups(user: User, changes: GroupChanges, context: OperationContext) {
  const refusal = await context.groupDirectory.changeGroups(user, changes, context.cause);
  if (refusal !== undefined) throw new OperationRefused(GROUP_REFUSALS[refusal], 'conflict');
  return { id: user.id, username: user.username, groups: context.projections.groups.namesOf(user.userId) };
}
