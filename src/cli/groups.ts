import type { Command } from 'commander';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';

export function groupCommands(program: Command, context: CliContext): void {
  const group = commandGroup(program, 'group', 'groups of the sample API');

  withJsonOption(group.command('add').description('create a group').argument('<name>', 'name of the group')).action(
    async (name: string, options: { json?: true }) => {
      await printOne(context, await callOnce(context, 'group add', { name }, { create: true }), options);
    },
  );

  withJsonOption(group.command('list').description('list the groups')).action((options: { json?: true }) =>
    printList(context, 'group list', ['id', 'name'], options),
  );
}
