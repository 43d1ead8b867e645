import type { Command } from 'commander';
import { answer, commandGroup, printList, printOne, printsData, type Workbench } from './command.ts';

export function groupCommands(program: Command, bench: Workbench): void {
  const group = commandGroup(program, 'group', 'groups of the sample API');

  printsData(group.command('add').description('create a group').argument('<name>', 'name of the group')).action(
    async (name: string, options: { json?: true }) => {
      await printOne(bench, await answer(bench, 'group add', { name }, { create: true }), options);
    },
  );

  printsData(group.command('list').description('list the groups')).action((options: { json?: true }) =>
    printList(bench, 'group list', ['id', 'name'], options),
  );
}
