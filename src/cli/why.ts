import type { Command } from 'commander';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';

/** `why`: what was wrong with a request that was refused. */
export function whyCommand(program: Command, bench: CliContext): void {
  withJsonOption(
    program
      .command('why')
      .description('why the running server refused a request')
      .argument('<id>', 'X-Request-Id of the answer'),
  ).action(async (id: string, options: { json?: true }) => {
    const { details, ...row } = await callOnce(bench, 'why', { id });
    await printOne(bench, options.json === true ? { ...row, details } : row, options);
  });
}
