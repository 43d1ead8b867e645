import type { Command } from 'commander';
import type { EventLog } from '../event-store/event-log.ts';
import type { RecordTarget } from '../event-store/record-target.ts';
import type { CopySummary } from '../operations/copy-log.ts';
import { withJsonOption } from './context.ts';
import { CannotRunError } from './exit.ts';
import { formatFields, formatJson } from './print.ts';
import type { Terminal } from './terminal.ts';

export interface CopyDeps {
  readonly terminal: Pick<Terminal, 'out' | 'err' | 'signal'>;
  /** Opens the log to copy from, in a data directory or at a PostgreSQL URL. */
  readonly openCopySource: (location: string) => Promise<EventLog>;
  /** Opens the log to copy into, and creates it if it does not exist. */
  readonly openCopyTarget: (location: string) => Promise<RecordTarget>;
  /** Copies the keys of the log if the settings keep them in the database. Resolves with true if it copied them. */
  readonly copyKeys: (locations: { readonly from: string; readonly to: string }) => Promise<boolean>;
}

/** Roughly the number of events copied per second. */
const EVENTS_PER_REPORT = 50_000;

const HELP = `
A location is a data directory or a PostgreSQL URL. Stop the server that uses the data directory, and all nodes that use
the database. The copy has the same records and the same Merkle root, and is read back to verify it. To continue an
interrupted copy, run the same command again.

The keys are not part of the log. If GRANTLOG_KEYS is "database", the command copies them between the database and the
keys subdirectory of the data directory. Otherwise, set GRANTLOG_KEYS to the directory that contains the source's keys,
or copy that directory. If other users of this machine might see the URL, omit the password and set PGPASSWORD instead.
`;

/** Adds the `log copy` command, which copies a log between a data directory and a database. */
export function copyCommand(log: Command, { terminal, openCopySource, openCopyTarget, copyKeys }: CopyDeps): void {
  withJsonOption(log.command('copy').description('copy the log between a data directory and a PostgreSQL database'))
    .requiredOption('--from <location>', 'the log to copy')
    .requiredOption('--to <location>', 'a new log, or the result of an interrupted copy')
    .addHelpText('after', HELP)
    .action(async ({ from, to, json: asJson }: { from: string; to: string; json?: true }) => {
      const summary = await copy(from, to);
      await terminal.out(asJson ? formatJson(summary) : formatFields({ ...summary }));
    });

  async function copy(from: string, to: string): Promise<CopySummary & { readonly keys: boolean }> {
    const source = await openCopySource(from);
    try {
      const target = await openCopyTarget(to);
      try {
        const { copyLog } = await import('../operations/copy-log.ts');
        const summary = await copyLog({ source, target, signal: terminal.signal, progress: createProgress() });
        return { ...summary, keys: await copyKeys({ from, to }) };
      } finally {
        await target.close();
      }
    } catch (error) {
      throw terminal.signal.aborted ? new CannotRunError('interrupted; run the same command again to continue') : error;
    } finally {
      await source.close();
    }
  }

  function createProgress(): (position: number, end: number) => void {
    let reportedPosition = 0;
    return (position, end) => {
      if (position - reportedPosition < EVENTS_PER_REPORT) return;
      reportedPosition = position;
      terminal.err(`copied ${position} of ${end} events\n`);
    };
  }
}
