import type { Command } from 'commander';
import type { ConfigReading } from '../config/config.ts';
import { settingsSchema } from '../config/settings-schema.ts';
import { settingsInForce, settingText } from '../config/settings-in-force.ts';
import { printsData } from './command.ts';
import { json, table } from './print.ts';
import type { Terminal } from './terminal.ts';

const COLUMNS = ['name', 'environment', 'value', 'origin', 'default', 'unit', 'description', 'reason'];

export function configCommand(
  program: Command,
  { terminal, readSettings }: { readonly terminal: Terminal; readonly readSettings: () => ConfigReading },
): void {
  printsData(program.command('config').description('show every setting, its value and where that came from'))
    .option('--schema', 'print the JSON Schema of a configuration file')
    .action(async (options: { json?: true; schema?: true }) => {
      if (options.schema) return terminal.out(json(settingsSchema()));
      const inForce = settingsInForce(readSettings().config);
      if (options.json) return terminal.out(json(inForce));
      const rows = inForce.map(({ name, value, default: preset, ...setting }) => ({
        ...setting,
        name,
        value: settingText(name, value),
        default: settingText(name, preset),
      }));
      await terminal.out(table(COLUMNS, rows));
    });
}
