import { type Command, Option } from 'commander';
import { SCOPE_ICONS, SCOPE_SENSITIVITIES } from '../config/scope-display.ts';
import { confirm, withYesOption } from './confirm.ts';
import { CannotRunError } from './exit.ts';
import { escapeControls, formatTable } from './print.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';

interface ScopeOptions {
  readonly description?: string;
  readonly icon?: string;
  readonly sensitivity?: string;
  readonly json?: true;
}

const HELP = `
The scopes setting contains the scopes, and the scopeDisplay setting their icons and sensitivities. If the configuration
file or the environment contains one of these settings, only the operator can change it there. Otherwise, the first
change to the scopes starts from the default scopes.
`;

const withFields = (command: Command): Command =>
  withJsonOption(command)
    .addOption(new Option('--icon <icon>', 'icon on the consent page').choices(['none', ...SCOPE_ICONS]))
    .addOption(
      new Option('--sensitivity <word>', 'sensitive: marked on the consent page').choices(SCOPE_SENSITIVITIES),
    );

/** Adds the commands that manage the scopes of this server. */
export function scopeCommands(program: Command, context: CliContext): void {
  const scopes = commandGroup(program, 'scope', 'scopes of this server, which can be changed while it is running');

  withJsonOption(scopes.command('list').description('list the scopes with their descriptions')).action(
    (options: ScopeOptions) =>
      printList(
        context,
        'scope list',
        ['scope', 'description', 'icon', 'sensitivity', 'built_in', 'restricted'],
        options,
      ),
  );

  withJsonOption(scopes.command('show').description('show a scope').argument('<scope>', 'name of the scope')).action(
    async (name: string, { json: asJson }: ScopeOptions) =>
      printOne(context, await callOnce(context, 'scope show', { name }), asJson ? { json: true } : {}),
  );

  withFields(
    scopes
      .command('add')
      .description('add a scope')
      .argument('<scope>', 'name of the scope')
      .requiredOption('--description <text>', 'what the consent page says')
      .addHelpText('after', HELP),
  ).action(async (name: string, { json: asJson, ...fields }: ScopeOptions) => {
    const addedScope = await callOnce(context, 'scope add', { name, ...fields }, { create: true });
    await printOne(context, addedScope, asJson ? { json: true } : {});
  });

  withFields(
    scopes
      .command('update')
      .description('change the description or display of a scope')
      .argument('<scope>', 'name of the scope')
      .option('--description <text>', 'what the consent page says'),
  ).action(async (name: string, { json: asJson, ...fields }: ScopeOptions) => {
    if (Object.keys(fields).length === 0)
      throw new CannotRunError('nothing to change; set --description, --icon or --sensitivity');
    const updatedScope = await callOnce(context, 'scope update', { name, ...fields });
    await printOne(context, updatedScope, asJson ? { json: true } : {});
  });

  withYesOption(
    withJsonOption(
      scopes
        .command('remove')
        .description('remove a scope; tokens no longer have it until it is added again')
        .argument('<scope>', 'name of the scope'),
    ),
  ).action(async (name: string, { yes, ...options }: ScopeOptions & { readonly yes?: true }) => {
    const consequence = async (): Promise<string> => {
      context.terminal.err(formatForecast(await callOnce(context, 'scope forecast', { name }), context));
      return `no token will have ${escapeControls(name)}, and its description and icon will be lost`;
    };
    await confirm(context.terminal, { yes, consequence });
    const result = await callOnce(context, 'scope remove', { name });
    if (options.json) await printOne(context, result, options);
    else await context.terminal.out(`the scope ${escapeControls(name)} was removed\n`);
  });

  withJsonOption(
    scopes
      .command('forecast')
      .description('list the applications that got the scope in the last month and would lose it')
      .argument('<scope>', 'name of the scope'),
  ).action(async (name: string, options: ScopeOptions) => {
    const forecast = await callOnce(context, 'scope forecast', { name });
    if (options.json) return printOne(context, forecast, options);
    await context.terminal.out(formatForecast(forecast, context));
  });
}

/** Formats the list of applications that would lose a scope. */
function formatForecast(forecast: Readonly<Record<string, unknown>>, { terminal }: CliContext): string {
  const rows = forecast['applications'] as readonly Readonly<Record<string, unknown>>[];
  if (rows.length === 0) return 'no application got the scope in the last month\n';
  return formatTable(terminal, ['application', 'client_id', 'tokens'], rows);
}
