import type { Command } from 'commander';
import { confirm, withYesOption } from './confirm.ts';
import { escapeControls } from './print.ts';
import { pluralizeIfAny } from './removal-facts.ts';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';
import type { SecondFactorRow } from '../operations/second-factors.ts';

const HELP = `
Shows whether the user is asked for a second factor after the password, and which second factors are set up. Use
--remove if the user has lost them: it removes the authenticator app, the recovery codes and the passkeys, ends all
sessions, and notifies the user if the server sends mail.
`;

/** Adds the `user second-factor` command. */
export function userSecondFactorCommand(user: Command, context: CliContext): void {
  withYesOption(
    withJsonOption(
      user
        .command('second-factor')
        .description("show a user's second factors, or remove them all")
        .argument('<name>', 'user name'),
    ),
    'required',
    'with --remove',
  )
    .option('--remove', 'remove all second factors and passkeys, and end all sessions')
    .addHelpText('after', HELP)
    .action(async (username: string, { remove, yes, ...options }: { remove?: true; yes?: true; json?: true }) => {
      const name = escapeControls(username);
      const currentState = await callOnce(context, 'user second-factor', { username, remove: false });
      if (!remove) return printOne(context, currentState, options);
      const factors = describeFactors(currentState as unknown as SecondFactorRow);
      const consequence = `${name} will lose ${factors.join(', ')}, and all sessions will end`;
      if (factors.length > 0) await confirm(context.terminal, { yes, consequence });
      const newState = await callOnce(context, 'user second-factor', { username, remove: true });
      if (options.json) return printOne(context, newState, options);
      await context.terminal.out(
        factors.length === 0
          ? `${name} has no second factor; nothing was removed\n`
          : `removed ${factors.join(', ')} from ${name}; all sessions ended\n`,
      );
    });
}

function describeFactors({
  app_added_at: app,
  passkeys,
  recovery_codes_left: codes,
}: SecondFactorRow): readonly string[] {
  return [
    ...(app === null ? [] : ['the authenticator app']),
    ...pluralizeIfAny(passkeys, 'passkey'),
    ...pluralizeIfAny(codes, 'recovery code'),
  ];
}
