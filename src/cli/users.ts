import { Option, type Command } from 'commander';
import { userDetailCommands } from './access.ts';
import { confirm, withYesOption } from './confirm.ts';
import { CannotRunError } from './exit.ts';
import {
  callOnce,
  commandGroup,
  printList,
  printOne,
  printWarning,
  withJsonOption,
  readSecret,
  type CliContext,
} from './context.ts';
import { printInvitation } from './invitations.ts';
import { requireOtherAdministrator } from './other-administrator.ts';
import { escapeControls } from './print.ts';
import { userAgentCommands } from './user-agents.ts';
import { userEraseCommand } from './user-erase.ts';
import { userLogoutCommand } from './user-logout.ts';
import { userProfileCommand } from './user-profile.ts';
import { userSecondFactorCommand } from './user-second-factor.ts';

const COLUMNS = ['id', 'username', 'name', 'email', 'status', 'roles', 'last_login_at'];

const SESSION_COLUMNS = ['id', 'started_at', 'last_used_at', 'login', 'browser', 'applications', 'ending'];

const PASSWORD_STDIN = 'read the password from standard input (default), or ask for it at a terminal';

const WEAK_PASSWORDS = `
At a terminal, a weak password is refused: one that is shorter than 8 characters, too common, or the name or address of
the user. In a script, it is accepted with a warning.
`;

/**
 * Reads a password and sets it. Scripts may set a weak password, because they would break otherwise. At a terminal, a
 * weak password is refused, because the operator can enter a different one.
 */
async function setPassword(
  context: CliContext,
  name: 'user add' | 'user passwd',
  input: object,
  options?: { readonly create: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  const { terminal } = context;
  const password = await readSecret(terminal, 'password');
  const acceptance = terminal.askSecrets === undefined ? { acceptsWeakPassword: true } : {};
  const { weakness, warning, ...result } = await callOnce(
    context,
    name,
    { ...input, password, ...acceptance },
    options,
  );
  if (typeof weakness === 'string') terminal.err(`grantlog: warning: weak password. ${weakness}\n`);
  printWarning(terminal, warning);
  return result;
}

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

interface ListFilters {
  readonly search?: string;
  readonly role?: string;
  readonly status?: string;
  readonly json?: true;
}

function toTableRow(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { first_name: first, last_name: last, active, ...row } = item;
  const name = [first, last].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return { ...row, name, status: active === true ? 'active' : 'disabled' };
}

function selectedRoles({ admin, auditor }: RoleOptions): readonly string[] {
  return [...(admin ? ['administrator'] : []), ...(auditor ? ['auditor'] : [])];
}

/** Adds the options that `add` and `roles` share. */
function withRoleOptions(command: Command): Command {
  return command.option('--admin', 'may administer this server').option('--auditor', 'may read the event log');
}

/** The lasting effect of `user disable`. */
const DISABLE_CONSEQUENCE =
  'will lose all sessions and tokens, and the access given to applications; enabling the account restores none of it';

/** Adds the `user` command group. */
export function userCommands(program: Command, context: CliContext): void {
  const user = commandGroup(program, 'user', 'user accounts');

  withRoleOptions(withJsonOption(user.command('add').description('create an account').argument('<name>', 'user name')))
    .option('--email <address>', 'e-mail address')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--password-stdin', PASSWORD_STDIN)
    .addHelpText('after', WEAK_PASSWORDS)
    .action(async (username: string, options: AddOptions) => {
      const { email = '', firstName = '', lastName = '' } = options;
      const account = { username, email, firstName, lastName, roles: selectedRoles(options) };
      const result = await setPassword(context, 'user add', account, { create: true });
      const { roles } = account;
      await printOne(context, { ...result, ...(roles.length === 0 ? {} : { roles }) }, options);
    });

  withRoleOptions(
    withJsonOption(
      user
        .command('invite')
        .description('invite a person by e-mail to create an account; if mail is off, print the link')
        .argument('<address>', 'e-mail address'),
    ),
  ).action(async (address: string, options: RoleOptions) => {
    const result = await callOnce(context, 'user invite', { address, roles: selectedRoles(options) });
    await printInvitation(context, result, options);
  });

  withJsonOption(user.command('list').description('list the accounts'))
    .option('--search <text>', 'only accounts with this text in the name, e-mail address or id')
    .addOption(
      new Option('--role <role>', 'only accounts with this role').choices(['administrator', 'auditor', 'none']),
    )
    .addOption(
      new Option('--status <status>', 'only active accounts, or only disabled ones').choices(['active', 'disabled']),
    )
    .action(({ search, role, status, ...options }: ListFilters) =>
      printList(context, 'user list', COLUMNS, options, { search, role, status }, toTableRow),
    );

  withJsonOption(
    user
      .command('passwd')
      .description('change a password and end every session of the user')
      .argument('<name>', 'user name'),
  )
    .option('--password-stdin', PASSWORD_STDIN)
    .addHelpText('after', WEAK_PASSWORDS)
    .action(async (username: string, options: { json?: true }) => {
      const result = await setPassword(context, 'user passwd', { username });
      await print(options, username, result, 'has a new password, and all sessions ended');
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
    .option('--none', 'remove all roles (this, --admin or --auditor is required)')
    .action(async (username: string, options: RoleOptions & { none?: true }) => {
      const roles = selectedRoles(options);
      if (roles.length > 0 && options.none === true)
        throw new CannotRunError('--none cannot be combined with --admin or --auditor; see grantlog user roles --help');
      if (roles.length === 0 && options.none !== true)
        throw new CannotRunError('one of --admin, --auditor and --none is required; see grantlog user roles --help');
      await report(
        options,
        'user roles',
        { username, roles },
        roles.length === 0 ? 'has no role' : `has the role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`,
      );
    });

  userLogoutCommand(user, context);

  for (const [name, summary, outcome] of [
    ['disable', 'disable an account, ending its sessions and revoking its tokens', 'disabled'],
    ['enable', 'enable a disabled account', 'enabled'],
  ] as const) {
    const command = withJsonOption(user.command(name).description(summary).argument('<name>', 'user name'));
    if (name === 'disable') withYesOption(command, 'optional');
    command.action(async (username: string, { yes, ...options }: { json?: true; yes?: true }) => {
      if (!options.json && (await callOnce(context, 'user show', { username }))['active'] === (name === 'enable'))
        return context.terminal.out(`${escapeControls(username)} was already ${outcome}; nothing changed\n`);
      const consequence = async (): Promise<string> => {
        await requireOtherAdministrator(username, context);
        return `${escapeControls(username)} ${DISABLE_CONSEQUENCE}`;
      };
      if (name === 'disable') await confirm(context.terminal, { yes, consequence, runsInScripts: true });
      await report(options, `user ${name}`, { username }, `is ${outcome}`);
    });
  }

  userEraseCommand(user, context);

  async function report(
    options: { readonly json?: true },
    operation: string,
    input: {
      readonly username: string;
      readonly roles?: readonly string[];
    },
    outcome: string,
  ): Promise<void> {
    await print(options, input.username, await callOnce(context, operation, input), outcome);
  }

  async function print(
    options: { readonly json?: true },
    username: string,
    result: Readonly<Record<string, unknown>>,
    outcome: string,
  ): Promise<void> {
    if (options.json) await printOne(context, result, options);
    else await context.terminal.out(`${escapeControls(username)} ${outcome}\n`);
  }
}
