import type { Command } from 'commander';
import { callOnce, commandGroup, printOne, withJsonOption, type CliContext } from './context.ts';

export function clockCommands(program: Command, bench: CliContext): void {
  const clock = commandGroup(program, 'clock', 'the time of this machine');

  withJsonOption(
    clock
      .command('confirm')
      .description('after the clock was ahead and was set back: end what was issued in between, for good')
      .option('--yes', 'the clock is right now'),
  ).action(async ({ yes = false, ...options }: { yes?: boolean; json?: true }) => {
    await printOne(bench, await callOnce(bench, 'clock confirm', { yes }), options);
  });
}
