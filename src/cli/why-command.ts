import type { Command } from 'commander';
import { answer, printOne, printsData, type Workbench } from './command.ts';

/** `why`: what was wrong with a request that was refused. */
export function whyCommand(program: Command, bench: Workbench): void {
  printsData(
    program
      .command('why')
      .description('why the running server refused a request')
      .argument('<id>', 'X-Request-Id of the answer'),
  ).action(async (id: string, options: { json?: true }) => {
    const { details, ...row } = await answer(bench, 'why', { id });
    await printOne(bench, options.json === true ? { ...row, details } : row, options);
  });
}
