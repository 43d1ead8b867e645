import type { Command } from 'commander';
import { formatSettingValue } from '../config/effective-settings.ts';
import { ConfigError, parseSettingChanges, unknownSettingProblem } from '../config/config.ts';
import type { SettingName } from '../config/settings.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { callOnce, commandGroup, printList, printOne, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { forecastSentence } from './setting-forecast.ts';
import type { Finding } from '../operations/simulation/findings.ts';
import { OUTCOME_LABELS } from './what-if.ts';
import { fitMessage, formatCell, formatTable } from './print.ts';
import { truncate, valueCell } from './setting-texts.ts';

interface JsonOption {
  readonly json?: true;
}

type Row = Readonly<Record<string, unknown>>;

const COLUMNS = ['name', 'value', 'origin', 'default', 'can_change'];

const VALUE_HELP = `
Write <value> as you would in an environment variable: a number, a word, or JSON for lists and maps, such as '["S256"]'.
The change takes effect immediately on every node, and is recorded in the log. The command refuses settings that are set
in the configuration file or the environment, because these take precedence.
`;

const FORECAST_HELP = `
The forecast counts the applications that would have been refused at least once, and the other applications that would
have received a different response. To simulate several settings or other periods, use "grantlog log what-if".
`;

/** Adds the commands that manage settings while the server runs. */
export function settingCommands(program: Command, context: CliContext): void {
  const group = commandGroup(program, 'setting', 'settings, many of which can be changed while the server is running');

  withJsonOption(group.command('list').description('list the settings with their values'))
    .option('--changed', 'only settings that differ from their default')
    .action(({ changed, ...options }: JsonOption & { readonly changed?: true }) =>
      printList(context, 'setting list', COLUMNS, options, { changed }, toCells),
    );

  withJsonOption(
    group
      .command('show')
      .description('show a setting and the source of its value')
      .argument('<setting>', 'name of the setting'),
  ).action(async (name: string, options: JsonOption) => {
    requireSetting(name);
    const item = await callOnce(context, 'setting show', { name });
    await printOne(context, options.json ? item : withFormattedValues(item), options);
  });

  withJsonOption(
    group
      .command('set')
      .description('change a setting while the server is running')
      .argument('<setting>', 'name of the setting')
      .argument('<value>', 'new value')
      .addHelpText('after', VALUE_HELP),
  ).action(async (name: string, value: string, options: JsonOption) => {
    parseSettingChanges({ [name]: value }); // fails early, with the exit status for usage errors
    await printChange(await callOnce(context, 'setting set', { name, value }, { create: true }), options);
  });

  withJsonOption(
    group
      .command('forecast')
      .description('show how a value would have affected requests in the last month')
      .argument('<setting>', 'name of the setting')
      .argument('<value>', 'its new value')
      .addHelpText('after', FORECAST_HELP),
  ).action(async (name: string, value: string, options: JsonOption) => {
    parseSettingChanges({ [name]: value });
    const forecast = await callOnce(context, 'setting forecast', { name, value });
    if (options.json) return printOne(context, forecast, options);
    const { findings, ...summary } = forecast;
    const { value: text } = withFormattedValues(summary);
    const sentence = `${name}: ${formatCell(text)}\n${forecastSentence(summary)}\n`;
    await context.terminal.out(fitMessage(context.terminal, sentence));
    const rows = ((findings ?? []) as readonly Pick<Finding, 'outcome'>[]).map((finding) => ({
      ...finding,
      outcome: OUTCOME_LABELS[finding.outcome],
    }));
    if (rows.length === 0) return;
    await context.terminal.out('\n');
    const columns = ['application', 'outcome', 'count', 'difference'];
    await context.terminal.out(formatTable(context.terminal, columns, rows));
  });

  withJsonOption(
    group.command('reset').description('reset a setting to its default').argument('<setting>', 'name of the setting'),
  ).action(async (name: string, options: JsonOption) => {
    requireSetting(name);
    await printChange(await callOnce(context, 'setting reset', { name }, { create: true }), options);
  });

  withJsonOption(
    group
      .command('history')
      .description('list the changes, newest first')
      .argument('[setting]', 'only changes to this setting'),
  ).action(async (name: string | undefined, options: JsonOption) => {
    const columns = ['time', 'name', 'value', 'by', 'position'];
    await printList(context, 'setting history', columns, options, { name }, toHistoryCells).catch((error: unknown) => {
      // The log may contain changes to a setting that no longer exists, so only the operation can refuse the name.
      throw error instanceof OperationRefused ? new CannotRunError(error.message) : error;
    });
  });

  async function printChange(change: Row, options: JsonOption): Promise<void> {
    if (options.json) return printOne(context, change, options);
    const formattedChange = withFormattedValues(change);
    await printOne(context, formattedChange, options);
    // Formatted values may be truncated.
    const isSame = JSON.stringify(change['value']) === JSON.stringify(change['was']);
    context.terminal.err(isSame ? 'the value is the same as before\n' : 'the new value is in effect on every node\n');
  }

  function toCells(item: Row): Row {
    return withCells(context.terminal, item);
  }

  /** Formats a change. A reset has no value, so its cell shows the default. */
  function toHistoryCells(item: Row): Row {
    if (Object.hasOwn(item, 'value')) return toCells(item);
    const { default: defaultValue } = toCells(item);
    return { ...item, value: typeof defaultValue === 'string' ? `default (${defaultValue})` : 'default' };
  }
}

/** @throws ConfigError if no setting has the name; the command then exits with the status for usage errors */
function requireSetting(name: string): void {
  const problem = unknownSettingProblem(name);
  if (problem !== undefined) throw new ConfigError([problem]);
}

/** Formats values as in environment variables. */
function withFormattedValues(item: Row): Row {
  const name = item['name'] as SettingName;
  const format = (value: unknown): unknown => (value === undefined ? value : truncate(formatSettingValue(name, value)));
  const values = ['value', 'default', 'was'].flatMap((member) =>
    Object.hasOwn(item, member) ? [[member, format(item[member])]] : [],
  );
  return { ...item, ...Object.fromEntries(values) };
}

/** Formats the values for a table. At a terminal, a default that is in effect is printed only once. */
function withCells(terminal: CliContext['terminal'], item: Row): Row {
  const name = item['name'] as SettingName;
  const isRepeated = terminal.tableWidth !== undefined && item['origin'] === 'default';
  const cells = ['value', ...(isRepeated ? [] : ['default'])].flatMap((member) =>
    Object.hasOwn(item, member) ? [[member, valueCell(terminal, name, item[member])]] : [],
  );
  return { ...item, ...(isRepeated ? { default: 'same' } : {}), ...Object.fromEntries(cells) };
}
