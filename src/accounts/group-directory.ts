import { hash } from 'node:crypto';
import {
  fitInTokens,
  foldedGroupName,
  normalizeGroupName,
  type GroupCommand,
  type GroupEvent,
  type GroupRefusal,
  type GroupState,
} from '../domain/group.ts';
import { MAX_LENGTH } from '../domain/lengths.ts';
import { observedGroup, groupStream } from '../domain/streams.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import { hasInvisibleCharacter } from '../domain/user-name.ts';
import type { GroupId } from '../domain/values.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import { DecisionOutdated } from '../event-store/event-log.ts';
import type { Group, Groups } from '../projections/groups.ts';
import type { User } from '../projections/users.ts';

/** The groups that a user joins and leaves. */
export interface GroupChanges {
  readonly add: readonly Group[];
  readonly remove: readonly Group[];
}

/** The reason why a user's groups were not changed. */
export type GroupChangeRefusal = 'user-unknown' | 'too-many-groups';

/**
 * The reason why a group cannot have a name: the name is invalid, or it is taken by an existing group, perhaps in a
 * different spelling.
 */
export type GroupNameProblem = 'invalid' | { readonly takenBy: string };

export interface GroupDirectory {
  /** Returns the problem that `create` would report for this name, if any. */
  creationProblem(name: string): GroupNameProblem | undefined;
  /**
   * Creates a group.
   * @returns the problem with the name; undefined if the group was created
   */
  create(name: string, context: CommandContext): Promise<GroupNameProblem | undefined>;
  /** Returns the problem that `changeTitle` would report, if any. */
  titleProblem(title: string): 'invalid' | undefined;
  /**
   * Sets the title that the pages show to people; an empty title removes it. The name stays the same, because
   * applications, providers and commands use it to identify the group.
   * @returns the problem with the title; undefined if it was set
   * @throws DecisionOutdated if the group was removed in the meantime
   */
  changeTitle(group: Group, title: string, context: CommandContext): Promise<'invalid' | undefined>;
  /** Removes the group, and ends all memberships. Does nothing if it was already removed. */
  remove(group: Group, context: CommandContext): Promise<void>;
  /**
   * Changes a user's groups in one append. Ignores groups that the user has already joined or left.
   * @returns the reason why nothing was changed; undefined if the user is now in the requested groups
   * @throws DecisionOutdated if one of the added groups was changed or removed in the meantime
   */
  changeGroups(user: User, changes: GroupChanges, context: CommandContext): Promise<GroupChangeRefusal | undefined>;
}

export function createGroupDirectory(deps: {
  readonly groupCommands: CommandHandler<GroupCommand, GroupState, GroupEvent, GroupRefusal>;
  readonly userCommands: CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>;
  readonly groups: Pick<Groups, 'listByUser' | 'all'>;
  readonly mintGroupId: () => GroupId;
}): GroupDirectory {
  const { groupCommands, userCommands, groups, mintGroupId } = deps;

  /**
   * Returns the problem if the name is taken, even by a group that an earlier release created in a different stream.
   */
  function takenProblem(name: string): GroupNameProblem | undefined {
    const foldedName = foldedGroupName(name);
    const existingGroup = groups.all().find((group) => foldedGroupName(group.name) === foldedName);
    return existingGroup && { takenBy: existingGroup.name };
  }

  return {
    creationProblem(input) {
      const name = normalizeGroupName(input);
      return nameProblem(name) ?? takenProblem(name);
    },

    async create(input, context) {
      const name = normalizeGroupName(input);
      const problem = nameProblem(name) ?? takenProblem(name);
      if (problem !== undefined) return problem;
      const stream = groupStream(hash('sha256', foldedGroupName(name), 'base64url'));
      const command = { type: 'CreateGroup', groupId: mintGroupId(), name } as const;
      const { refusal } = await groupCommands.execute(stream, command, context);
      return refusal === undefined ? undefined : { takenBy: name };
    },

    titleProblem,

    async changeTitle(group, input, context) {
      const title = normalizeGroupName(input);
      if (titleProblem(input) !== undefined) return 'invalid';
      const command = { type: 'ChangeGroupTitle', groupId: group.groupId, title: title === '' ? null : title } as const;
      const { refusal } = await groupCommands.execute(group.stream, command, context);
      if (refusal !== undefined) throw new DecisionOutdated(group.stream);
      return undefined;
    },

    async remove({ groupId, stream }, context) {
      await groupCommands.execute(stream, { type: 'RemoveGroup', groupId }, context);
    },

    async changeGroups({ userId, stream }, { add, remove }, context) {
      const remainingGroups = groups
        .listByUser(userId)
        .filter(({ groupId }) => !remove.some((group) => group.groupId === groupId));
      const names = new Set([...remainingGroups, ...add].map(({ name }) => name));
      if (add.length > 0 && !fitInTokens([...names])) return 'too-many-groups';
      const command = { type: 'ChangeGroups', userId, add: add.map(idOf), remove: remove.map(idOf) } as const;
      const basedOn = [...(context.basedOn ?? []), ...add.map(observedGroup)];
      const { refusal } = await userCommands.execute(stream, command, { ...context, basedOn });
      return refusal === undefined ? undefined : 'user-unknown';
    },
  };
}

/**
 * Returns the problem with a title, or undefined if it is valid. The rules for names apply, except that a title may be
 * empty.
 */
function titleProblem(input: string): 'invalid' | undefined {
  return input !== '' && nameProblem(normalizeGroupName(input)) !== undefined ? 'invalid' : undefined;
}

function idOf({ groupId }: Group): GroupId {
  return groupId;
}

function nameProblem(name: string): GroupNameProblem | undefined {
  const isValid = name !== '' && name.length <= MAX_LENGTH.groupName && !hasInvisibleCharacter(name);
  return isValid ? undefined : 'invalid';
}
