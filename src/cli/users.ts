import type { Command } from 'commander';
import { userDetailCommands } from './access.ts';
import { confirm, withYesOption } from './confirm.ts';
import { CannotRun } from './exit.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, readSecret, type CliContext } from './context.ts';
import { escapeControls } from './print.ts';
import { userAgentCommands } from './user-agents.ts';
import { userProfileCommand } from './user-profile.ts';
import { userSecondFactorCommand } from './user-second-factor.ts';

const COLUMNS = ['id', 'username', 'email', 'email_verified', 'first_name', 'last_name', 'active', 'roles'];

const SESSION_COLUMNS = ['id', 'started_at', 'last_used_at', 'login', 'browser', 'applications', 'ending'];

const PASSWORD_STDIN = 'read the password from standard input (default; a terminal is prompted)';

interface RoleOptions {
  readonly admin?: true;
  readonly auditor?: true;
  readonly json?: true;
}

interface AddOptions extends RoleOptions {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

function selectedRoles({ admin, auditor }: RoleOptions): readonly string[] {
  return [...(admin ? ['administrator'] : []), ...(auditor ? ['auditor'] : [])];
}

/** The options that `add` and `roles` share. */
function withRoleOptions(command: Command): Command {
  return command.option('--admin', 'may administer this server').option('--auditor', 'may read the event log');
}

/** The lasting effect of each command. */
const CONSEQUENCES: Readonly<Partial<Record<string, string>>> = {
  disable: 'loses all sessions and tokens, and the access that applications have; enabling brings none of it back',
  erase: 'and all personal data of the account are gone for good',
};

export function userCommands(program: Command, context: CliContext): void {
  const user = commandGroup(program, 'user', 'user accounts');

  withRoleOptions(withJsonOption(user.command('add').description('create an account').argument('<name>', 'user name')))
    .option('--email <address>', 'e-mail address')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--password-stdin', PASSWORD_STDIN)
    .action(async (username: string, options: AddOptions) => {
      const { email = '', firstName = '', lastName = '' } = options;
      const password = await readSecret(context.terminal, 'password');
      const added = await callOnce(
        context,
        'user add',
        { username, password, email, firstName, lastName, roles: selectedRoles(options) },
        { create: true },
      );
      await printOne(context, added, options);
    });

  withRoleOptions(
    withJsonOption(
      user
        .command('invite')
        .description('invite somebody to create an account, by mail; without mail, print the link')
        .argument('<address>', 'e-mail address'),
    ),
  ).action(async (address: string, options: RoleOptions) => {
    await printOne(
      context,
      await callOnce(context, 'user invite', { address, roles: selectedRoles(options) }),
      options,
    );
  });

  withJsonOption(user.command('list').description('list the accounts')).action((options: { json?: true }) =>
    printList(context, 'user list', COLUMNS, options),
  );

  withJsonOption(
    user
      .command('passwd')
      .description('change a password and end every session of the user')
      .argument('<name>', 'user name'),
  )
    .option('--password-stdin', PASSWORD_STDIN)
    .action(async (username: string, options: { json?: true }) => {
      const password = await readSecret(context.terminal, 'password');
      await report(options, 'user passwd', { username, password }, 'has a new password');
    });

  userDetailCommands(user, context);
  userProfileCommand(user, context);
  userSecondFactorCommand(user, context);
  userAgentCommands(user, context);

  withJsonOption(
    user
      .command('sessions')
      .description(
        "list a user's open sessions: how they began, when they were last used, and what was authorized in each",
      )
      .argument('<name>', 'user name'),
  ).action((username: string, options: { json?: true }) =>
    printList(context, 'user sessions', SESSION_COLUMNS, options, { username }),
  );

  withRoleOptions(
    withJsonOption(
      user
        .command('roles')
        .description("set an account's roles, replacing the existing ones")
        .argument('<name>', 'user name'),
    ),
  )
    .option('--none', 'remove all roles')
    .action(async (username: string, options: RoleOptions & { none?: true }) => {
      const roles = selectedRoles(options);
      if ((roles.length === 0) !== (options.none === true))
        throw new CannotRun('set roles with --admin and --auditor, or remove them all with --none');
      await report(
        options,
        'user roles',
        { username, roles },
        roles.length === 0 ? 'has no role' : `has the role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`,
      );
    });

  withJsonOption(
    user
      .command('logout')
      .alias('sign-out')
      .description('end every session of a user, or one of them, with the access that depends on them')
      .argument('<name>', 'user name'),
  )
    .option('--session <id>', 'end only this session; see: grantlog user sessions')
    .action((username: string, { session, ...options }: { session?: string; json?: true }) =>
      session === undefined
        ? report(options, 'user logout', { username }, 'is logged out everywhere')
        : report(options, 'user logout', { username, session }, 'is logged out of that session'),
    );

  for (const [name, summary, outcome] of [
    ['disable', 'disable an account, ending its sessions and revoking its tokens', 'is disabled'],
    ['enable', 'enable a disabled account', 'is enabled'],
    ['erase', 'delete an account and make its personal data permanently unreadable', 'is erased'],
  ] as const) {
    const command = withJsonOption(user.command(name).description(summary).argument('<name>', 'user name'));
    const consequence = CONSEQUENCES[name];
    if (consequence !== undefined) withYesOption(command);
    command.action(async (username: string, { yes, ...options }: { json?: true; yes?: true }) => {
      if (consequence !== undefined) {
        const asked = `${escapeControls(username)} ${consequence}`;
        await confirm(context.terminal, { yes, consequence: asked, runsInScripts: true });
      }
      await report(options, `user ${name}`, { username }, outcome);
    });
  }

  async function report(
    options: { readonly json?: true },
    operation: string,
    input: {
      readonly username: string;
      readonly password?: string;
      readonly roles?: readonly string[];
      readonly session?: string;
    },
    outcome: string,
  ): Promise<void> {
    const changed = await callOnce(context, operation, input);
    if (options.json) await printOne(context, changed, options);
    else await context.terminal.out(`${escapeControls(input.username)} ${outcome}\n`);
  }
}
