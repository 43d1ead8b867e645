import type { Command } from 'commander';
import type { ConfigReading } from '../config.ts';
import { settingsSchema } from '../settings-schema.ts';
import { settingsInForce } from '../settings-in-force.ts';
import { printsData } from './command.ts';
import { json, table } from './print.ts';
import type { Terminal } from './terminal.ts';

const COLUMNS = ['name', 'environment', 'value', 'origin', 'default', 'unit', 'description', 'reason'];

export function configCommand(program: Command, { terminal, readSettings }: { readonly terminal: Terminal; readonly readSettings: () => ConfigReading }): void {
  printsData(program.command('config').description('show every setting, its value and where that came from')).option('--schema', 'print the JSON Schema of a configuration file').action(
    async (options: { json?: true; schema?: true }) => {
      if (options.schema) return terminal.out(json(settingsSchema()));
      const rows = settingsInForce(readSettings().config).map((setting) => ({ ...setting }));
      await terminal.out(options.json ? json(rows) : table(COLUMNS, rows));
    },
  );
}
