import type { Command } from 'commander';
import { callOnce, commandGroup, printOne, withJsonOption, type CliContext } from './context.ts';
import { fitMessage } from './print.ts';

/** Adds the `clock` command group. */
export function clockCommands(program: Command, context: CliContext): void {
  const clock = commandGroup(program, 'clock', 'the clock of this machine');

  withJsonOption(
    clock
      .command('confirm')
      .description('accept the current time after the clock was ahead, and revoke everything issued at a later time')
      .option('--yes', 'confirm that the clock is now correct'),
  ).action(async ({ yes = false, ...options }: { yes?: boolean; json?: true }) => {
    const result = await callOnce(context, 'clock confirm', { yes });
    if (options.json || result['position'] !== null) return printOne(context, result, options);
    const { clock: now, newest_event: newestAt } = result as Readonly<Record<string, string>>;
    const times = `The clock says ${String(now)}; the newest event was recorded at ${String(newestAt)}`;
    const text = `nothing to confirm: nothing was issued more than five minutes after the current time. ${times}\n`;
    await context.terminal.out(fitMessage(context.terminal, text));
  });
}
