import type { Command } from 'commander';
import { unknownGrantError, unknownSessionError, type GrantRow, type UserSessionRow } from '../operations/access.ts';
import { confirm, withYesOption } from './confirm.ts';
import { revokeAll, type ConfirmedOption } from './revoke-all.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { printChanges } from './print-changes.ts';
import { escapeControls, wholeSeconds } from './print.ts';

interface JsonOption {
  readonly json?: true;
}

interface UpdateOptions extends JsonOption {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

interface RevokeOptions extends ConfirmedOption {
  readonly user?: string;
  readonly client?: string;
}

/** Adds the command groups `session` and `grant`. */
export function accessCommands(program: Command, context: CliContext): void {
  const session = commandGroup(program, 'session', "users' open sessions");
  withJsonOption(session.command('list').description('list the open sessions of all users'))
    .option('--user <name>', 'only sessions of this user')
    .action(({ user: username, ...options }: JsonOption & { user?: string }) => {
      const columns = ['id', 'username', 'started_at', 'last_used_at', 'browser'];
      return printList(context, 'session list', columns, options, { username });
    });
  withYesOption(
    withJsonOption(
      session
        .command('end')
        .description('end a session and revoke the access that depends on it')
        .argument('<id>', 'id of the session; see: grantlog session list'),
    ),
    'optional',
  ).action(async (id: string, { yes, ...options }: JsonOption & { yes?: true }) => {
    await confirm(context.terminal, { yes, consequence: () => describeSessionEnd(id, context), runsInScripts: true });
    const result = await callOnce(context, 'session end', { id });
    if (options.json) return printOne(context, result, options);
    await context.terminal.out(`${escapeControls(String(result['username']))} has been logged out of the session\n`);
  });

  const grant = commandGroup(program, 'grant', 'access that users have given to applications');
  withJsonOption(grant.command('list').description('list the valid grants of all users'))
    .option('--user <name>', 'only grants by this user')
    .option('--client <id>', 'only grants to this application')
    .action(({ user: username, client: clientId, ...options }: JsonOption & { user?: string; client?: string }) => {
      const columns = ['id', 'username', 'application', 'scope', 'granted_at', 'expires_at'];
      return printList(context, 'grant list', columns, options, { username, clientId });
    });
  withYesOption(
    withJsonOption(
      grant
        .command('revoke')
        .description("revoke a grant, or all of a user's grants, along with their tokens")
        .argument('[id]', 'id of the grant; see: grantlog grant list'),
    ),
    'required',
  )
    .option('--user <name>', 'instead of an id: revoke all grants by this user')
    .option('--client <id>', 'with --user: only the grants to this application')
    .action(async (id: string | undefined, { user, client, ...options }: RevokeOptions) => {
      if (user !== undefined && id === undefined) return revokeAll(user, client, options, context);
      if (user !== undefined || client !== undefined || id === undefined)
        throw new CannotRunError(
          'specify the id of a grant, or --user and optionally --client; see: grantlog grant list',
        );
      await revokeOne(id, options);
    });

  async function revokeOne(id: string, { yes, ...options }: ConfirmedOption): Promise<void> {
    await confirm(context.terminal, { yes, consequence: () => describeGrantRevocation(id, context) });
    const result = await callOnce(context, 'grant revoke', { id });
    if (options.json) return printOne(context, result, options);
    const { username, application, client_id: client } = result as Readonly<Record<string, string | null>>;
    const [user, clientName] = [username, application ?? client].map((name) => escapeControls(String(name)));
    await context.terminal.out(`${user}'s grant to ${clientName} has been revoked\n`);
  }
}

/**
 * Describes the effects of ending the session, for the confirmation prompt.
 * @throws OperationRefused if no open session has the id
 */
async function describeSessionEnd(id: string, { call }: CliContext): Promise<string> {
  for await (const item of call('session list', {})) {
    const { id: sessionId, username, started_at: start, browser } = item as UserSessionRow;
    if (sessionId !== id) continue;
    const browserPhrase = browser === null ? '' : ` in ${escapeControls(browser)}`;
    const session = `${escapeControls(username)}'s session${browserPhrase}, started at ${wholeSeconds(start)}`;
    return `${session}, will end, and the access that depends on it will be revoked`;
  }
  throw unknownSessionError(id);
}

/**
 * Describes the effects of revoking the grant, for the confirmation prompt.
 * @throws OperationRefused if no valid grant has the id
 */
async function describeGrantRevocation(id: string, { call }: CliContext): Promise<string> {
  for await (const item of call('grant list', {})) {
    const { id: grantId, username, application, client_id: clientId } = item as GrantRow;
    if (grantId !== id) continue;
    const clientName = escapeControls(application ?? clientId);
    return `${escapeControls(username)}'s grant to ${clientName} will be revoked, along with all its tokens`;
  }
  throw unknownGrantError(id);
}

/** Adds the `user show` and `user update` commands. */
export function userDetailCommands(user: Command, context: CliContext): void {
  withJsonOption(
    user
      .command('show')
      .description('show an account, with its roles, groups and two-step login, and its numbers of sessions and grants')
      .argument('<name>', 'user name'),
  ).action(async (username: string, options: JsonOption) =>
    printUser(context, await callOnce(context, 'user show', { username }), options),
  );

  withJsonOption(
    user
      .command('update')
      .description("change an account's e-mail address, first name or last name; an empty value clears the field")
      .argument('<name>', 'user name'),
  )
    .option('--email <address>', 'e-mail address')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .action(async (username: string, { email, firstName, lastName, ...options }: UpdateOptions) => {
      const changes = { email, given_name: firstName, family_name: lastName };
      if (Object.values(changes).every((value) => value === undefined))
        throw new CannotRunError('nothing to change; set --email, --first-name or --last-name');
      const show = () => callOnce(context, 'user show', { username });
      const change = async () => {
        // `user profile` can change every claim of a profile, including these.
        await callOnce(context, 'user profile', { username, changes: omitUndefined(changes) });
        return show();
      };
      await printChanges(context, { name: username, show, change }, options);
    });
}

/** Prints an account. As text, shows its status like `user list`, and placeholders for missing names and times. */
function printUser(context: CliContext, user: Readonly<Record<string, unknown>>, options: JsonOption): Promise<void> {
  if (options.json) return printOne(context, user, options);
  const {
    id,
    username,
    first_name: first,
    last_name: last,
    email,
    active,
    last_login_at: login,
    ...otherFields
  } = user;
  const names = { first_name: first ?? '-', last_name: last ?? '-', email: email ?? '-' };
  const status = active === true ? 'active' : 'disabled';
  return printOne(
    context,
    { id, username, ...names, status, ...otherFields, last_login_at: login ?? 'never' },
    options,
  );
}

/** Adds the `client transfer` command. */
export function clientTransferCommand(client: Command, context: CliContext): void {
  withJsonOption(
    client
      .command('transfer')
      .description('make a user the only owner of a client')
      .argument('<client-id>', 'id or unique name of the client'),
  )
    .requiredOption('--to <user>', 'user name of the new owner')
    .action(async (clientId: string, { to, ...options }: JsonOption & { to: string }) => {
      const result = await callOnce(context, 'client transfer', { clientId, to });
      if (options.json) return printOne(context, result, options);
      await context.terminal.out(`${escapeControls(to)} is now the only owner of ${escapeControls(clientId)}\n`);
    });
}

function omitUndefined(values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
