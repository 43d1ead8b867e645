import type { Command } from 'commander';
import { confirm, withYesOption } from './confirm.ts';
import { escapeControls } from './print.ts';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';

const HELP = `
Shows whether the user is asked for a second factor after the password, and what they have set up. With --remove, for a
user who has lost them: removes the authenticator app, the recovery codes and the passkeys, ends all sessions, and
tells the user by mail.
`;

export function userSecondFactorCommand(user: Command, context: CliContext): void {
  withYesOption(
    withJsonOption(
      user
        .command('second-factor')
        .description("show a user's second factors, or remove them all")
        .argument('<name>', 'user name'),
    ),
  )
    .option('--remove', 'remove all second factors and passkeys, and end all sessions')
    .addHelpText('after', HELP)
    .action(async (username: string, { remove, yes, ...options }: { remove?: true; yes?: true; json?: true }) => {
      const consequence = `${escapeControls(username)} loses all second factors, passkeys and sessions`;
      if (remove) await confirm(context.terminal, { yes, consequence, runsInScripts: true });
      await printOne(
        context,
        await callOnce(context, 'user second-factor', { username, remove: remove === true }),
        options,
      );
    });
}
