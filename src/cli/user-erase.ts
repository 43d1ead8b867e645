import type { Command } from 'commander';
import { confirm, withYesOption } from './confirm.ts';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';
import { requireOtherAdministrator } from './other-administrator.ts';
import { pluralize, escapeControls } from './print.ts';

/** Adds `user erase`. The confirmation prompt and the output say how many applications are left without an owner. */
export function userEraseCommand(user: Command, context: CliContext): void {
  withYesOption(
    withJsonOption(
      user
        .command('erase')
        .description('delete an account and make its personal data permanently unreadable')
        .argument('<name>', 'user name'),
    ),
    'optional',
  ).action(async (username: string, { yes, ...options }: { json?: true; yes?: true }) => {
    const name = escapeControls(username);
    const consequence = async (): Promise<string> => {
      await requireOtherAdministrator(username, context);
      const applications = describeOwnerless(await countSolelyOwned(context, username), false);
      return `${name} and all personal data of the account will be permanently deleted${applications}`;
    };
    await confirm(context.terminal, { yes, consequence, runsInScripts: true });
    const result = await callOnce(context, 'user erase', { username });
    if (options.json) return printOne(context, result, options);
    await context.terminal.out(
      `${name} is erased${describeOwnerless(Number(result['ownerless_applications']), true)}\n`,
    );
  });
}

/** Counts the applications whose only owner is the user. */
async function countSolelyOwned({ call }: CliContext, username: string): Promise<number> {
  let count = 0;
  for await (const item of call('client list', {})) {
    const { owners } = item as { readonly owners: readonly string[] };
    if (owners.length === 1 && owners[0]?.toLowerCase() === username.toLowerCase()) count += 1;
  }
  return count;
}

function describeOwnerless(count: number, isErased: boolean): string {
  if (count === 0) return '';
  const applications = pluralize(count, 'application');
  if (!isErased) return `; ${applications} will have no owner`;
  return `; ${applications} now ${count === 1 ? 'has' : 'have'} no owner`;
}
