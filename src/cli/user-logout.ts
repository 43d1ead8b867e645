import type { Command } from 'commander';
import { unknownUserSessionError, type SessionRow } from '../operations/user-sessions.ts';
import { confirm, withYesOption } from './confirm.ts';
import { callOnce, printOne, withJsonOption, type CliContext } from './context.ts';
import { pluralize, escapeControls } from './print.ts';

interface LogoutOptions {
  readonly session?: string;
  readonly yes?: true;
  readonly json?: true;
}

/** Adds `user logout`. Its output says how many grants remain valid. */
export function userLogoutCommand(user: Command, context: CliContext): void {
  withYesOption(
    withJsonOption(
      user
        .command('logout')
        .alias('sign-out')
        .description("end all of a user's sessions, or one of them, and revoke the access that depends on them")
        .argument('<name>', 'user name'),
    ),
    'optional',
  )
    .option('--session <id>', 'end only this session; see: grantlog user sessions')
    .action(async (username: string, { session, yes, ...options }: LogoutOptions) => {
      const name = escapeControls(username);
      const sessions = await findSessions(username, session, context);
      const consequence = describeConsequence(name, sessions);
      if (sessions.length > 0) await confirm(context.terminal, { yes, consequence, runsInScripts: true });
      const input = session === undefined ? { username } : { username, session };
      const result = await callOnce(context, 'user logout', input);
      if (options.json) return printOne(context, result, options);
      const { grants } = await callOnce(context, 'user show', { username });
      const outcome = session === undefined ? 'has been logged out everywhere' : 'has been logged out of the session';
      await context.terminal.out(sessions.length === 0 ? `${name} had no open session\n` : `${name} ${outcome}\n`);
      const endsAllSessions = session === undefined;
      if (Number(grants) > 0)
        context.terminal.err(`${describeRemainingGrants(Number(grants), name, endsAllSessions)}\n`);
    });
}

/**
 * Returns the sessions to end: the requested one, or all sessions of the user.
 * @throws OperationRefused if the user does not exist, or has no such session
 */
async function findSessions(
  username: string,
  session: string | undefined,
  { call }: CliContext,
): Promise<readonly SessionRow[]> {
  const sessions: SessionRow[] = [];
  for await (const item of call('user sessions', { username })) sessions.push(item as SessionRow);
  const matches = sessions.filter(({ id }) => session === undefined || id === session);
  if (matches.length === 0 && session !== undefined) throw unknownUserSessionError(username, session);
  return matches;
}

function describeConsequence(name: string, sessions: readonly SessionRow[]): string {
  const clients = new Set(sessions.flatMap(({ ending }) => ending));
  const access =
    clients.size === 0 ? '' : `, and the access of ${pluralize(clients.size, 'application')} will be revoked`;
  return `${pluralize(sessions.length, 'session')} of ${name} will end${access}`;
}

/**
 * Describes how many grants remain valid after the logout.
 * @param endsAllSessions whether all sessions ended; otherwise, the grants may depend on the remaining sessions
 */
function describeRemainingGrants(grants: number, name: string, endsAllSessions: boolean): string {
  const [depends, remains, them] = grants === 1 ? ['does', 'remains', 'it'] : ['do', 'remain', 'them'];
  const state = endsAllSessions ? `${depends} not depend on a session and ${remains} valid` : `${remains} valid`;
  return `${pluralize(grants, 'grant')} ${state}; to revoke ${them}: grantlog grant revoke --user ${name}`;
}
