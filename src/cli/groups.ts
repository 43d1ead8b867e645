import type { Command } from 'commander';
import { normalGroupName } from '../domain/group.ts';
import type { GroupRow } from '../operations/groups.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';
import { confirm, withYesOption } from './confirm.ts';
import { counted, escapeControls } from './print.ts';

interface JsonOption {
  readonly json?: true;
}

/** Adds the command group `group`. */
export function groupCommands(program: Command, context: CliContext): void {
  const group = commandGroup(program, 'group', 'groups of users');

  withJsonOption(group.command('add').description('create a group').argument('<name>', 'name of the group')).action(
    async (name: string, options: JsonOption) => {
      await printOne(context, await callOnce(context, 'group add', { name }, { create: true }), options);
    },
  );

  withJsonOption(group.command('list').description('list the groups')).action((options: JsonOption) =>
    printList(context, 'group list', ['id', 'name', 'title', 'members', 'created_at'], options),
  );

  withJsonOption(
    group.command('update').description('change the title of a group').argument('<name>', 'name of the group'),
  )
    .requiredOption('--title <text>', 'title for people, on the pages; empty for none. Applications get the name')
    .action(async (name: string, { title, ...options }: JsonOption & { readonly title: string }) => {
      await printOne(context, await callOnce(context, 'group update', { name, changes: { title } }), options);
    });

  withJsonOption(
    group.command('show').description('list the members of a group').argument('<name>', 'name of the group'),
  ).action(async (name: string, options: JsonOption) => {
    await printList(context, 'group show', ['id', 'username', 'active', 'since'], options, { name });
    const title = options.json ? null : await titleOf(name);
    if (title) context.terminal.err(`title: ${escapeControls(title)}\n`);
  });

  for (const [command, summary, outcome] of [
    ['add-user', 'add a user to a group', 'is in the group'],
    ['remove-user', 'remove a user from a group', 'is no longer in the group'],
  ] as const) {
    withJsonOption(
      group
        .command(command)
        .description(summary)
        .argument('<group>', 'name of the group')
        .argument('<user>', 'user name'),
    ).action(async (name: string, username: string, options: JsonOption) => {
      const changed = await callOnce(context, `group ${command}`, { group: name, username });
      if (options.json) return printOne(context, changed, options);
      await context.terminal.out(`${escapeControls(username)} ${outcome} ${escapeControls(name)}\n`);
    });
  }

  withYesOption(
    withJsonOption(
      group
        .command('remove')
        .description('remove a group and all its memberships')
        .argument('<name>', 'name of the group'),
    ),
    'refuses',
  ).action(async (name: string, { yes, ...options }: JsonOption & { readonly yes?: true }) => {
    await confirm(context.terminal, { yes, consequence: () => describeRemoval(name) });
    const removed = await callOnce(context, 'group remove', { name });
    if (options.json) return printOne(context, removed, options);
    const members = counted(Number(removed['members']), 'member');
    await context.terminal.out(`the group ${escapeControls(name)} is removed; it had ${members}\n`);
  });

  async function titleOf(name: string): Promise<string | null> {
    for await (const item of context.call('group list', {})) {
      const { name: listed, title } = item as GroupRow;
      if (listed === normalGroupName(name)) return title;
    }
    return null;
  }

  async function describeRemoval(name: string): Promise<string> {
    let members = 0;
    for await (const member of context.call('group show', { name })) if (member !== undefined) members += 1;
    return `the group ${escapeControls(name)} ends, and its ${counted(members, 'membership')}`;
  }
}
