import type { Command } from 'commander';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';

/** Adds the `why` command, which explains why a request was refused. */
export function whyCommand(program: Command, context: CliContext): void {
  withJsonOption(
    program
      .command('why')
      .description('explain why the server refused a request')
      .argument('<id>', 'X-Request-Id of the response'),
  ).action(async (id: string, options: { json?: true }) => {
    const { details, ...row } = await callOnce(context, 'why', { id });
    await printOne(context, options.json === true ? { ...row, details } : row, options);
  });
}
