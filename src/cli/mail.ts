import type { Command } from 'commander';
import { callOnce, commandGroup, printOne, withJsonOption, type CliContext } from './context.ts';

/** Adds the `mail` command group. */
export function mailCommands(program: Command, context: CliContext): void {
  const mail = commandGroup(program, 'mail', 'e-mails to users');

  withJsonOption(
    mail
      .command('test')
      .description('send a test e-mail with the settings of the running server, and explain any failure')
      .argument('<address>', 'e-mail address of the recipient'),
  ).action(async (address: string, options: { json?: true }) => {
    await printOne(context, await callOnce(context, 'mail test', { address }), options);
  });
}
