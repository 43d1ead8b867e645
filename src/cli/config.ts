import type { Command } from 'commander';
import type { LoadedConfig } from '../config/config.ts';
import { settingsSchema } from '../config/settings-schema.ts';
import { effectiveSettings, formatSettingValue } from '../config/effective-settings.ts';
import { withJsonOption } from './context.ts';
import { formatJson, formatTable } from './print.ts';
import type { Terminal } from './terminal.ts';

const COLUMNS = ['name', 'value', 'origin', 'default', 'unit'];

export function configCommand(
  program: Command,
  { terminal, readSettings }: { readonly terminal: Terminal; readonly readSettings: () => LoadedConfig },
): void {
  withJsonOption(program.command('config').description('show every setting, its value and the source of the value'))
    .option('--schema', 'print the JSON Schema of a configuration file')
    .action(async (options: { json?: true; schema?: true }) => {
      if (options.schema) return terminal.out(formatJson(settingsSchema()));
      const inForce = effectiveSettings(readSettings().config);
      if (options.json) return terminal.out(formatJson(inForce));
      const rows = inForce.map(({ name, value, default: preset, ...setting }) => ({
        ...setting,
        name,
        value: formatSettingValue(name, value),
        default: formatSettingValue(name, preset),
      }));
      await terminal.out(formatTable(terminal, COLUMNS, rows));
    });
}
