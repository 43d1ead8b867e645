import type { Command } from 'commander';
import type { LoadedConfig } from '../config/config.ts';
import { withJsonOption } from './context.ts';
import { CannotRunError } from './exit.ts';
import { formatJson } from './print.ts';
import type { Terminal } from './terminal.ts';

export interface MigrateDeps {
  readonly terminal: Pick<Terminal, 'out'>;
  readonly readSettings: () => LoadedConfig;
  /** Migrates the database at `url`, and resolves with the schema versions before and after the migration. */
  readonly migrate: (url: string) => Promise<{ readonly from: number; readonly to: number }>;
}

/** Adds the `migrate` command. Nodes of the previous release can keep running during the migration. */
export function migrateCommand(program: Command, { terminal, readSettings, migrate }: MigrateDeps): void {
  withJsonOption(
    program.command('migrate').description('create the schema in the PostgreSQL database, or update it'),
  ).action(async ({ json: asJson }: { json?: true }) => {
    const { log } = readSettings().config;
    if (log === null)
      throw new CannotRunError('GRANTLOG_LOG is not set, so the log is in DATA_DIR, which needs no migration');
    const { from, to } = await migrate(log);
    await terminal.out(asJson ? formatJson({ from, to }) : describeMigration(from, to));
  });
}

function describeMigration(from: number, to: number): string {
  if (from === to) return `the schema is already at version ${to}; nothing was changed\n`;
  return from === 0 ? `created version ${to} of the schema\n` : `migrated the schema from version ${from} to ${to}\n`;
}
