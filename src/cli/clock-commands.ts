import type { Command } from 'commander';
import { answer, commandGroup, printOne, printsData, type Workbench } from './command.ts';

export function clockCommands(program: Command, bench: Workbench): void {
  const clock = commandGroup(program, 'clock', 'the time of this machine');

  printsData(
    clock
      .command('confirm')
      .description('after the clock was ahead and was set back: end what was issued in between, for good')
      .option('--yes', 'the clock is right now'),
  ).action(async ({ yes = false, ...options }: { yes?: boolean; json?: true }) => {
    await printOne(bench, await answer(bench, 'clock confirm', { yes }), options);
  });
}
