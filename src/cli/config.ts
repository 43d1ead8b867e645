import type { Command } from 'commander';
import { ConfigError, unknownSettingProblem, type Config, type LoadedConfig } from '../config/config.ts';
import { settingsSchema } from '../config/settings-schema.ts';
import { effectiveSettings } from '../config/effective-settings.ts';
import { findSettingName, type SettingName } from '../config/settings.ts';
import { isSameValue } from '../domain/same-value.ts';
import { withJsonOption } from './context.ts';
import { fitMessage, formatJson, formatTable } from './print.ts';
import { askServerSettings, type ServerSettings } from './server-settings.ts';
import { valueCell } from './setting-texts.ts';
import type { Terminal } from './terminal.ts';

const COLUMNS = ['name', 'value', 'origin', 'default'];

const HELP = `
If a server is running on the data directory, VALUE and ORIGIN show its current settings, and AFTER RESTART is the value
that a setting would have if the server were restarted with this command's environment. With --json, the corresponding
members are value, origin and after_restart.
`;

/** Adds the `config` command. */
export function configCommand(
  program: Command,
  { terminal, readSettings }: { readonly terminal: Terminal; readonly readSettings: () => LoadedConfig },
): void {
  withJsonOption(program.command('config').description('show every setting, its value and the source of the value'))
    .argument('[setting]', 'only this setting')
    .option('--changed', 'only settings that differ from their defaults, or that a restart would change')
    .option('--schema', 'print the JSON Schema of a configuration file')
    .addHelpText('after', HELP)
    .action(async (name: string | undefined, options: ConfigOptions) => {
      if (options.schema) return terminal.out(formatJson(settingsSchema()));
      const { config, file } = readSettings();
      const setting = name === undefined ? undefined : requireSettingName(name, file);
      const server = await askServerSettings(config);
      const allRows = server === undefined ? commandRows(config) : serverRows(config, server);
      const rows = allRows
        .filter((row) => setting === undefined || row.name === setting)
        .filter((row) => options.changed !== true || isChanged(row));
      if (options.json) return terminal.out(formatJson(rows));
      if (rows.length === 0) return terminal.err(`${describeNoChange(setting)}\n`);
      await terminal.out(
        formatTable(terminal, visibleColumns(terminal, server), rows.map(toCells), { omit: ['default'] }),
      );
      if (terminal.tableWidth !== undefined) await terminal.out(fitMessage(terminal, `\n${explain(config, server)}\n`));
    });

  function toCells({ name, after_restart: afterRestart, ...row }: SettingRow) {
    const cell = (value: unknown) => valueCell(terminal, name, value);
    // At a terminal, a default that is in effect is not printed twice.
    const isRepeated = terminal.tableWidth !== undefined && row.origin === 'default';
    return {
      ...row,
      name,
      value: cell(row.value),
      default: isRepeated ? 'same' : cell(row.default),
      after_restart: afterRestart === null ? null : (cell(afterRestart.value) ?? 'none'),
    };
  }
}

/** @throws ConfigError if there is no setting with this name */
function requireSettingName(name: string, file: string | null): SettingName {
  if (name === 'GRANTLOG_CONFIG')
    throw new ConfigError([
      'GRANTLOG_CONFIG is not a setting, but the environment variable with the path of the configuration file. It is ' +
        (file === null ? 'not set' : `set to ${file}`),
    ]);
  const setting = findSettingName(name);
  if (setting === undefined) throw new ConfigError([unknownSettingProblem(name) ?? `${name}: unknown setting`]);
  return setting;
}

const describeNoChange = (setting: SettingName | undefined): string =>
  setting === undefined ? 'No setting differs from its default.' : `The setting ${setting} has its default value.`;

interface ConfigOptions {
  readonly changed?: true;
  readonly schema?: true;
  readonly json?: true;
}

const isChanged = ({ value, origin, default: defaultValue, after_restart: afterRestart }: SettingRow): boolean =>
  afterRestart !== null || (origin !== 'default' && !isSameValue(value, defaultValue));

interface SettingRow {
  readonly name: SettingName;
  readonly value: unknown;
  readonly origin: string;
  readonly default: unknown;
  /** The value after a restart; null if a restart would not change it, or no server is running. */
  readonly after_restart: { readonly value: unknown; readonly origin: string } | null;
}

function commandRows(config: Config): readonly SettingRow[] {
  return effectiveSettings(config).map((row) => ({ ...row, after_restart: null }));
}

function serverRows(config: Config, { items, afterRestart }: ServerSettings): readonly SettingRow[] {
  return effectiveSettings(config).map((row) => {
    const item = items.find(({ name }) => name === row.name);
    const { value, origin, default: defaultValue } = item ?? row; // a server of an earlier release may lack the setting
    return { ...row, value, origin, default: defaultValue, after_restart: afterRestart.get(row.name) ?? null };
  });
}

/** Returns the columns. A terminal has no space for the units, which the names of the settings contain anyway. */
function visibleColumns(
  { tableWidth }: Pick<Terminal, 'tableWidth'>,
  server: ServerSettings | undefined,
): readonly string[] {
  const isChangedByRestart = server !== undefined && server.afterRestart.size > 0;
  return [...COLUMNS, ...(tableWidth === undefined ? ['unit'] : []), ...(isChangedByRestart ? ['after_restart'] : [])];
}

function explain({ dataDir }: Config, server: ServerSettings | undefined): string {
  if (server === undefined)
    return (
      `No server is running on ${dataDir}. A server started with this environment would have these settings, plus ` +
      'the changes in the log. grantlog setting list shows both together.'
    );
  if (server.afterRestart.size === 0) return `These are the current settings of the server running on ${dataDir}.`;
  return (
    `These are the current settings of the server running on ${dataDir}. A restart with the environment of ` +
    `this command would change ${[...server.afterRestart.keys()].join(', ')}.`
  );
}
