import type { Command } from 'commander';
import type { MemberRole } from '../domain/values.ts';
import { disabledAccountWarning } from '../operations/users.ts';
import { escapeControls } from './print.ts';
import { collect, printList, printWarning, withJsonOption, type CliContext } from './context.ts';

const COLUMNS = ['username', 'role', 'since', 'active'];

interface MemberOptions {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly json?: true;
}

interface Member {
  readonly username: string;
  readonly active: boolean;
}

/** Reports the users who were not added as test users because they are owners. */
async function reportSkippedOwners(
  clientId: string,
  addedUsernames: readonly string[],
  { call, terminal }: CliContext,
): Promise<void> {
  if (addedUsernames.length === 0) return;
  const ownerNames = new Set<string>();
  for await (const owner of call('client members', { clientId, role: 'owner', add: [], remove: [] }))
    ownerNames.add((owner as Member).username);
  for (const name of addedUsernames.filter((username) => ownerNames.has(username.normalize('NFKC'))))
    terminal.err(
      `${escapeControls(name)} was not added as a test user: owners can authorize the client in test mode anyway\n`,
    );
}

function warnAboutDisabledAccounts(
  members: readonly Member[],
  addedUsernames: readonly string[],
  { terminal }: CliContext,
): void {
  for (const { username, active } of members)
    if (!active && addedUsernames.some((name) => name.normalize('NFKC') === username))
      printWarning(terminal, disabledAccountWarning(username));
}

/** Returns a context whose `call` also appends each item to `members`. */
function collectMembers(context: CliContext, members: Member[]): CliContext {
  return {
    ...context,
    async *call(...parameters) {
      for await (const member of context.call(...parameters)) {
        members.push(member as Member);
        yield member;
      }
    },
  };
}

/** Adds the commands that list, add and remove the owners and the test users of a client. */
export function clientMemberCommands(client: Command, context: CliContext): void {
  const addCommand = (name: string, description: string, role: MemberRole, noun: string): void => {
    withJsonOption(
      client.command(name).description(description).argument('<client-id>', 'id or unique name of the client'),
    )
      .option('--add <user>', `make the user ${noun} (repeatable)`, collect)
      .option('--remove <user>', `remove the user as ${noun} (repeatable; applied after --add)`, collect)
      .action(async (clientId: string, { add = [], remove = [], ...options }: MemberOptions) => {
        const members: Member[] = [];
        const input = { clientId, role, add, remove };
        await printList(collectMembers(context, members), 'client members', COLUMNS, options, input);
        warnAboutDisabledAccounts(members, add, context);
        if (role === 'test-user') await reportSkippedOwners(clientId, add, context);
      });
  };
  addCommand('owners', 'list, add or remove the users who manage a client', 'owner', 'an owner');
  addCommand(
    'test-users',
    'list, add or remove the users who can authorize a client in test mode',
    'test-user',
    'a test user',
  );
}
