import type { Command } from 'commander';
import type { MemberRole } from '../domain/values.ts';
import { collect, printList, withJsonOption, type CliContext } from './context.ts';

const COLUMNS = ['username', 'role', 'since', 'active'];

interface MemberOptions {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly json?: true;
}

/** The commands that list, add and remove the owners and the test users of a client. */
export function clientMemberCommands(client: Command, context: CliContext): void {
  const command = (name: string, description: string, role: MemberRole, noun: string): void => {
    withJsonOption(client.command(name).description(description).argument('<client-id>', 'id of the client'))
      .option('--add <user>', `make the user ${noun} (repeatable)`, collect)
      .option('--remove <user>', `the user is no longer ${noun} (repeatable; after --add)`, collect)
      .action(async (clientId: string, { add = [], remove = [], ...options }: MemberOptions) =>
        printList(context, 'client members', COLUMNS, options, { clientId, role, add, remove }),
      );
  };
  command('owners', 'list, add or remove the users who manage a client', 'owner', 'an owner');
  command(
    'test-users',
    'list, add or remove the users who can authorize a client in test mode',
    'test-user',
    'a test user',
  );
}
