import type { Argument, Command, Option } from 'commander';

/** Example values of arguments, by group and argument, or by argument alone. */
const ARGUMENT_VALUES: Readonly<Record<string, string>> = {
  'user name': 'ada',
  'group name': 'editors',
  'group group': 'editors',
  'group user': 'ada',
  address: 'ada@example.org',
  'client-id': 'notes',
  'subject-client-id': 'calendar',
  dir: './restored',
  domain: 'apps.example',
  file: './grantlog.backup',
  'import file': './export.json',
  'log file': './grantlog.bundle',
  'client file': './logo.png',
  'brand file': './brand-texts.json',
  'brand-text key': 'login.title',
  'brand-text text': '"Log in to {brand}"',
  grant: 'kX0cJ2n5TQ-8vRw3mYbLzA',
  id: 'Vb1tqk2JSpm0dK4ePq8wRw',
  'invitation id': '3',
  'grant id': 'kX0cJ2n5TQ-8vRw3mYbLzA',
  'session id': 'k3JxQz81Ab',
  'provider id': 'corp',
  'keys key': 'cookies',
  issuer: 'https://login.example',
  kid: '9sKq2Yv0mE1xw7CkqkQm5cDcyCB0pN1hTz6rRrVn1uY',
  uri: 'https://calendar.example/api',
  shell: 'bash',
  subject: '12',
  setting: 'accessTokenLifetimeSeconds',
  value: '3600',
  scope: 'invoices:read',
};

/** Optional arguments and options that follow the required ones in an example, by command. */
const OPTIONAL_PARTS: Readonly<Record<string, string>> = {
  'user add': '--email ada@example.org --admin',
  'user update': '--email ada@example.org --first-name Ada',
  'user roles': '--auditor',
  'user profile': '--set nickname=Countess --set zoneinfo=Europe/London --unset gender',
  'user second-factor': '--remove --yes',
  'user erase': '--yes',
  'client add': '--redirect-uri https://notes.example/cb',
  'client update': '--name "Field notes"',
  'client remove': '--yes',
  'client owners': '--add ada',
  'client logo': './logo.png',
  'client test-users': '--add ada',
  'client rotate-secret': '--overlap 36h',
  'group remove': '--yes',
  'grant revoke': '--user ada --yes',
  'grant list': '--user ada',
  'log tail': '--user ada --since 2026-11-01T00:00:00Z',
  'log export': '--format csv',
  'log as-of': '--time 2026-11-01T00:00:00Z --user ada',
  'log archive': '--yes',
  'keys drop-previous': '--yes',
  'resource remove': '--yes',
  'trusted-issuer remove': '--yes',
  'trusted-issuer set': '--jwks-uri https://login.example/jwks',
  'user disable': '--yes',
  'provider remove': '--yes',
  'exchange-policy remove': '--yes',
  'scope remove': '--yes',
  'scope update': '--sensitivity sensitive',
  'resource update': '--name "Calendar"',
  'user end-agents': '--yes',
  'log blast-radius': '--client notes --end --yes',
  'client list': '--search notes --status live',
  'user list': '--role administrator --status active',
  'brand logo': './logo.png',
  'key rotate': '--algorithm ES256',
  'key retire': '--yes',
  'provider set':
    '--preset keycloak --name "Example Corp" --issuer https://login.example/realms/corp --client-id grantlog ' +
    '--authentication private_key_jwt --create-users --groups-claim groups --role administrator=it-admins',
  'log what-if': '--set requirePkce=all',
};

/** Example values of required options, by group and flag, or by flag alone. */
const OPTION_VALUES: Readonly<Record<string, string>> = {
  'group --title': '"Editors of the site"',
  '--before': '2026-01-01T00:00:00Z',
  '--name': '"Calendar API"',
  '--description': '"Read your invoices"',
  '--type': 'public',
  '--grant': 'authorization-code',
  '--from': './data',
  'client --to': 'ada',
  '--to': 'postgres://log.example/grantlog',
  '--mode': 'delegation',
  '--set': 'requirePkce=all',
  '--use': 'assertion',
  '--map': 'user-name',
  '--client': 'notes',
  '--audience': 'https://login.example',
  '--scope': 'read',
  '--jwks-uri': 'https://login.example/jwks',
};

/** The command that represents each group in the help, for groups that their first command does not represent. */
const TYPICAL_COMMANDS: Readonly<Record<string, string>> = {
  grant: 'list',
  setting: 'set',
  brand: 'logo',
  'brand-text': 'set',
  log: 'tail',
  key: 'list',
  provider: 'test',
  session: 'end',
};

/** Returns the name of the command that represents the group, or undefined if the group's first command does. */
export function typicalCommandName(group: string): string | undefined {
  return TYPICAL_COMMANDS[group];
}

/** Returns a command line with all required arguments and options, and typical optional ones. */
export function formatExample(path: string, command: Command): string {
  const [group = ''] = path.split(' ');
  const values = command.registeredArguments
    .filter(({ required }) => required)
    .map((argument) => argumentValue(group, argument));
  const requiredOptions = command.options.filter(
    ({ mandatory, description }) => mandatory || isMarkedRequired(description),
  );
  const options = requiredOptions.map((option) => `${option.long ?? ''} ${optionValue(group, option)}`.trim());
  return ['grantlog', path, ...values, ...options, OPTIONAL_PARTS[path] ?? ''].filter((word) => word !== '').join(' ');
}

const isMarkedRequired = (description: string): boolean => description.endsWith('(required)');

function argumentValue(group: string, argument: Argument): string {
  const name = argument.name();
  return ARGUMENT_VALUES[`${group} ${name}`] ?? ARGUMENT_VALUES[name] ?? argument.argChoices?.[0] ?? name.toUpperCase();
}

function optionValue(group: string, { long, argChoices, required }: Option): string {
  if (!required) return '';
  return OPTION_VALUES[`${group} ${long}`] ?? OPTION_VALUES[long ?? ''] ?? argChoices?.[0] ?? 'VALUE';
}
