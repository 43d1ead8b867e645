import type { Command } from 'commander';
import { CHANGEABLE_CLAIMS } from '../domain/profile.ts';
import { callOnce, collect, collectOneOf, printOne, printWarning, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { parseNameValuePairs } from './name-value-pairs.ts';

const HELP = `
Shows what applications can learn about a user. With --set or --unset, changes that first.

Claims (OpenID Connect Core 5.1): ${CHANGEABLE_CLAIMS.join(', ')}.
`;

interface ProfileOptions {
  readonly set?: readonly string[];
  readonly unset?: readonly string[];
  readonly verifyEmail?: true;
  readonly json?: true;
}

/** Adds the `user profile` command. */
export function userProfileCommand(user: Command, context: CliContext): void {
  withJsonOption(
    user
      .command('profile')
      .description('show or change the claims about a user that applications get')
      .argument('<name>', 'user name'),
  )
    .option('--set <claim=value>', 'set a claim (repeatable)', collect)
    .option('--unset <claim>', 'remove a claim (repeatable)', collectOneOf(CHANGEABLE_CLAIMS))
    .option('--verify-email', 'record the e-mail address as verified, without an e-mail')
    .addHelpText('after', HELP)
    .action(async (username: string, { set = [], unset = [], verifyEmail, ...options }: ProfileOptions) => {
      const changes = { ...parseNameValuePairs(set, 'nickname=Countess') };
      const unknownClaim = Object.keys(changes).find(
        (name) => !(CHANGEABLE_CLAIMS as readonly string[]).includes(name),
      );
      if (unknownClaim !== undefined)
        throw new CannotRunError(`--set ${unknownClaim}: no such claim; use one of ${CHANGEABLE_CLAIMS.join(', ')}`);
      for (const name of unset) {
        if (Object.hasOwn(changes, name)) throw new CannotRunError(`${name} is both set and unset; remove one`);
        changes[name] = '';
      }
      const input = { username, changes, verifyEmail: verifyEmail === true };
      const { warning, ...profile } = await callOnce(context, 'user profile', input);
      await printOne(context, profile, options);
      printWarning(context.terminal, warning);
    });
}
