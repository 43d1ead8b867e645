import type { Command } from 'commander';
import { callOnce, commandGroup, printOne, withJsonOption, type CliContext } from './context.ts';

/** Adds the command group `clock`. */
export function clockCommands(program: Command, context: CliContext): void {
  const clock = commandGroup(program, 'clock', 'the clock of this machine');

  withJsonOption(
    clock
      .command('confirm')
      .description('accept the current time after the clock was ahead, revoking everything issued at later times')
      .option('--yes', 'confirm that the clock is right now'),
  ).action(async ({ yes = false, ...options }: { yes?: boolean; json?: true }) => {
    await printOne(context, await callOnce(context, 'clock confirm', { yes }), options);
  });
}
