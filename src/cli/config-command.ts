import type { Command } from 'commander';
import type { ConfigReading } from '../config.ts';
import { environmentName, SETTING_NAMES, settings } from '../settings.ts';
import { printsData } from './command.ts';
import { json, table } from './print.ts';
import type { Terminal } from './terminal.ts';

const COLUMNS = ['name', 'environment', 'value', 'origin', 'unit', 'description'];

export function configCommand(program: Command, { terminal, readSettings }: { readonly terminal: Terminal; readonly readSettings: () => ConfigReading }): void {
  printsData(program.command('config').description('show every setting, its value and where that came from')).action(
    async (options: { json?: true }) => {
      const rows = settingRows(readSettings());
      await terminal.out(options.json ? json(rows) : table(COLUMNS, rows));
    },
  );
}

/** What the server would run with; secrets only as set or not. */
function settingRows({ config, values, origins }: ConfigReading) {
  const effective = { ...values, issuer: config.issuer, defaultScopes: config.defaultScopes };
  return SETTING_NAMES.map((name) => {
    const { default: preset, description, unit = null, secret = false } = settings[name];
    const value = effective[name];
    const shown = secret && value !== null ? '(hidden)' : value;
    return { name, environment: environmentName(name), value: shown, origin: origins[name], default: preset, unit, description };
  });
}
