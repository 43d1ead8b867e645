import { hash } from 'node:crypto';
import { normalGroupName, type CreateGroup, type GroupEvent } from '../domain/group.ts';
import { groupStream } from '../domain/streams.ts';
import { MAX_LENGTH } from '../domain/lengths.ts';
import type { GroupId } from '../domain/values.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';

export interface GroupDirectory {
  /** The problem that `create` would report for a new group of this name. */
  problem(name: string): string | undefined;
  /** @returns what is wrong with the name; undefined if the group was created */
  create(name: string, context: CommandContext): Promise<string | undefined>;
}

export function createGroupDirectory(
  commands: CommandHandler<CreateGroup, { readonly exists: boolean }, GroupEvent, 'group-name-taken'>,
  mintGroupId: () => GroupId,
): GroupDirectory {
  return {
    problem: (given) => nameProblem(normalGroupName(given)),

    async create(given, context) {
      const name = normalGroupName(given);
      const problem = nameProblem(name);
      if (problem !== undefined) return problem;
      const stream = groupStream(hash('sha256', name, 'base64url'));
      const { refusal } = await commands.execute(
        stream,
        { type: 'CreateGroup', groupId: mintGroupId(), name },
        context,
      );
      return refusal === undefined ? undefined : `a group named ${name} already exists`;
    },
  };
}

function nameProblem(name: string): string | undefined {
  if (name !== '' && name.length <= MAX_LENGTH.groupName && !/[\p{Cc}\p{Cs}]/u.test(name)) return undefined;
  return `a group's name must have 1 to ${MAX_LENGTH.groupName} characters and no control characters`;
}
