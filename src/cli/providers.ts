import { Option, type Command } from 'commander';
import {
  LINKING_RULES,
  PROVIDER_AUTHENTICATION,
  PROVIDER_PRESETS,
  type ProviderAuthentication,
  type ProviderPreset,
} from '../domain/provider-settings.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import {
  callOnce,
  collect,
  commandGroup,
  printList,
  printOne,
  readSecret,
  withJsonOption,
  type CliContext,
} from './context.ts';
import { confirmDisabling, confirmRequirement } from './confirm-requirement.ts';
import { withYesOption } from './confirm.ts';
import { providerExists, requireNewProviderOptions } from './new-provider.ts';
import { printChanges } from './print-changes.ts';
import { providerFacts } from './removal-facts.ts';
import { removalCommands } from './removals.ts';

const COLUMNS = [
  'provider_id',
  'name',
  'issuer',
  'linking',
  'creates_users',
  'required',
  'disabled',
  'linked_accounts',
];

interface SetOptions {
  readonly preset?: ProviderPreset;
  readonly name?: string;
  readonly issuer?: string;
  readonly tenant?: readonly string[];
  readonly clientId?: string;
  readonly authentication?: ProviderAuthentication;
  readonly clientSecretStdin?: true;
  readonly scope?: readonly string[];
  readonly linking?: string;
  readonly createUsers?: boolean;
  readonly domain?: readonly string[];
  readonly groupsClaim?: string;
  readonly role?: readonly string[];
  readonly group?: readonly string[];
  readonly secondFactor?: readonly string[];
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly enabled?: true;
  readonly yes?: true;
  readonly json?: true;
}

const HELP = `
Adds the provider and prints it, or changes only the specified values and prints what changed. The change takes effect
immediately. Register the printed redirect_uri with a new provider. An empty value clears a list, as in --domain ''.

With --required, passwords are off: users log in only through required providers, or with a passkey. At a terminal, the
command shows how many users could no longer log in, and asks for confirmation. In a script, --yes is required if at
least one user could no longer log in. If nobody can log in, run this command on the server:
grantlog provider set ID --no-required

With --disabled, the command asks for confirmation if no administrator could log in afterward. In a script, it prints a
warning instead.
`;

/** Drops empty values, so that a single empty value results in an empty list. */
function withoutEmptyValues(values: readonly string[] | undefined): readonly string[] | undefined {
  return values?.filter((value) => value !== '');
}

function withId(command: Command): Command {
  return withJsonOption(command.argument('<id>', 'id of the provider on this server'));
}

/** Adds the commands that manage the OpenID providers that users log in through. */
export function providerCommands(program: Command, context: CliContext): void {
  const providers = commandGroup(program, 'provider', 'OpenID providers that users can log in through');

  withYesOption(
    withId(providers.command('set').description('add a provider, or change it')),
    'conditional',
    'with --required or --disabled',
  )
    .addOption(
      new Option('--preset <kind>', 'the kind of provider, which determines default values').choices(PROVIDER_PRESETS),
    )
    .option('--name <text>', 'name of the button on the login page (required for a new custom provider)')
    .option(
      '--issuer <url>',
      'the issuer, exactly as the provider publishes it (required for a new provider, except google and gitlab)',
    )
    .option('--tenant <id>', 'an Entra tenant, if the issuer covers several tenants (repeatable)', collect)
    .option('--client-id <id>', "this server's client id at the provider (required for a new provider)")
    .addOption(
      new Option('--authentication <method>', 'how this server authenticates with the provider').choices(
        PROVIDER_AUTHENTICATION,
      ),
    )
    .option(
      '--client-secret-stdin',
      'read the client secret from standard input, or ask for it (required for a new provider with a secret)',
    )
    .option('--scope <name>', 'a scope to request (repeatable; default: openid email profile)', collect)
    .addOption(
      new Option(
        '--linking <rule>',
        'explicit: users link accounts; verified-email: accounts with the same verified e-mail address are also linked',
      ).choices(LINKING_RULES),
    )
    .option('--create-users', 'create a user when somebody logs in with an account that is not linked to a user')
    .option('--no-create-users', 'do not create users')
    .option(
      '--domain <name>',
      'create users and link accounts only with a verified e-mail address in this domain (repeatable)',
      collect,
    )
    .option('--groups-claim <name>', "the claim with the user's groups, such as groups or realm_access.roles")
    .option(
      '--role <role=group>',
      'a role for users in a group at the provider, set at each login (repeatable)',
      collect,
    )
    .option(
      '--group <name=group>',
      'a group on this server for users in a group at the provider, set at each login (repeatable)',
      collect,
    )
    .option('--second-factor <value>', 'a value of amr or acr that counts as a second factor (repeatable)', collect)
    .option('--required', 'turn passwords off for all users')
    .option('--no-required', 'turn passwords on, unless another provider is required')
    .option('--disabled', 'suspend logins through the provider; links and sessions remain')
    .option('--no-disabled', 'allow logins through the provider again')
    .addOption(new Option('--enabled', 'the same as --no-disabled').hideHelp())
    .addHelpText('after', HELP)
    .action(async (providerId: string, options: SetOptions) => {
      const { preset, name, issuer, clientId, authentication, linking, groupsClaim, required } = options;
      const isDisabled = options.enabled === true ? false : options.disabled;
      await requireNewProviderOptions(providerId, options, context);
      if (required === true && isDisabled !== true) await confirmRequirement(providerId, options.yes, context);
      if (isDisabled === true) await confirmDisabling(providerId, options.yes, context);
      const secret =
        options.clientSecretStdin === true ? await readSecret(context.terminal, 'client secret') : undefined;
      const input = {
        providerId,
        preset,
        name,
        issuer,
        tenants: withoutEmptyValues(options.tenant),
        clientId,
        authentication,
        secret,
        scopes: withoutEmptyValues(options.scope),
        linking,
        createsUsers: options.createUsers,
        domains: withoutEmptyValues(options.domain),
        groupsClaim,
        roles: withoutEmptyValues(options.role),
        groups: withoutEmptyValues(options.group),
        secondFactorValues: withoutEmptyValues(options.secondFactor),
        required,
        disabled: isDisabled,
      };
      const change = () => callOnce(context, 'provider set', input, { create: true });
      if (!(await providerExists(providerId, context))) return printOne(context, await change(), options);
      const show = () => callOnce(context, 'provider show', { providerId });
      const hiddenChanges = secret === undefined ? [] : ['client_secret: set'];
      await printChanges(context, { name: providerId, show, change, hiddenChanges }, options);
    });

  withJsonOption(providers.command('list').description('list the providers')).action((options: { json?: true }) =>
    printList(context, 'provider list', COLUMNS, options),
  );

  withId(providers.command('show').description('show a provider')).action(
    async (providerId: string, options: { json?: true }) => {
      await printOne(context, await callOnce(context, 'provider show', { providerId }), options);
    },
  );

  withId(
    providers.command('test').description('test the connection: metadata, keys and client; nobody is logged in'),
  ).action(async (providerId: string, options: { json?: true }) => {
    const checks: { readonly step: unknown; readonly result: unknown }[] = [];
    const call: CliContext['call'] = async function* (...parameters) {
      for await (const check of context.call(...parameters)) {
        checks.push(check as (typeof checks)[number]);
        yield check;
      }
    };
    await printList({ ...context, call }, 'provider test', ['step', 'result', 'text'], options, { providerId });
    const failedCheck = checks.find(({ result }) => result === 'bad');
    if (failedCheck !== undefined) throw new OperationRefused(`the step ${String(failedCheck.step)} failed`);
  });

  removalCommands(providers, context, {
    group: 'provider',
    member: 'providerId',
    argument: '<id>',
    argumentDescription: 'id of the provider on this server',
    description: 'remove a provider; nobody can log in through it afterward, but sessions and links remain',
    consequence: (id) => `nobody will be able to log in through ${id}, and its secret will be deleted`,
    done: (id) => `the provider ${id} was removed`,
    facts: providerFacts,
  });
}
