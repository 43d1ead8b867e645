import { Option, type Command } from 'commander';
import type { AsOf } from '../admin/as-of.ts';
import type { Held } from '../inquiry/held.ts';
import { printsData, wholeNumber, type Workbench } from './command.ts';
import { instant } from './instant.ts';
import { json, table } from './print.ts';

const COLUMNS = ['kind', 'position', 'user', 'client', 'application', 'scope', 'resource', 'expires_at'];

interface AsOfOptions {
  readonly position?: number;
  readonly time?: number;
  readonly user?: string;
  readonly client?: string;
  readonly scope?: string;
  readonly json?: true;
}

export function asOfCommand(log: Command, { terminal, call }: Workbench): void {
  printsData(log.command('as-of').description('show who held which access at a position or at a time, each with the position that gave it'))
    .addOption(new Option('--position <position>', 'after this event').argParser(wholeNumber).conflicts('time'))
    .addOption(new Option('--time <time>', 'an ISO 8601 time, such as 2026-11-21T09:00:00Z').argParser(instant))
    .option('--user <name>', 'only what this user held or granted')
    .option('--client <id>', 'only what concerns this application')
    .option('--scope <name>', 'only what had this scope')
    .action(async ({ json: asJson, ...question }: AsOfOptions) => {
      const held: Held[] = [];
      let asOf: AsOf = { as_of: 0, recorded_at: null };
      for await (const item of call('log as-of', question)) {
        if ('as_of' in (item as AsOf | Held)) asOf = item as AsOf;
        else held.push(item as Held);
      }
      if (asJson) return terminal.out(json({ ...asOf, held }));
      const recorded = asOf.recorded_at === null ? '' : `, recorded ${new Date(asOf.recorded_at).toISOString()}`;
      terminal.err(`as of position ${asOf.as_of}${recorded}\n`);
      await terminal.out(table(COLUMNS, held.map((one) => ({ ...one }))));
    });
}
