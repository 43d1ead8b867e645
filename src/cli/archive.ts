import { Option, type Command } from 'commander';
import type { ArchiveStep } from '../event-store/event-log.ts';
import { confirm, withYesOption } from './confirm.ts';
import { printOne, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { wholeSeconds } from './print.ts';
import { parseTime } from './time-arguments.ts';

interface ArchiveSummary {
  readonly events: number;
  readonly end: number;
  readonly files: readonly string[];
}

/** Adds the `log archive` command, which moves old events into compressed files. */
export function archiveCommand(log: Command, context: CliContext): void {
  const { terminal, call } = context;

  withYesOption(
    withJsonOption(
      log
        .command('archive')
        .description('move old events into compressed, sealed files in the archive; all commands can still read them'),
    ),
  )
    .addOption(
      new Option('--before <time>', 'move events recorded before this ISO 8601 time')
        .argParser(parseTime)
        .makeOptionMandatory(),
    )
    .addHelpText('after', HELP)
    .action(async ({ before, yes, ...options }: { before: number; yes?: true; json?: true }) => {
      const time = wholeSeconds(new Date(before).toISOString());
      const consequence = `events recorded before ${time} will be moved from the log to sealed files`;
      await confirm(terminal, { yes, consequence });
      let summary: ArchiveSummary | undefined;
      for await (const item of call('log archive', { before })) {
        const part = item as ArchiveStep | ArchiveSummary;
        if ('step' in part) terminal.err(`${part.step} up to position ${part.position}\n`);
        else summary = part;
      }
      if (summary === undefined)
        throw new CannotRunError(
          'stopped; the events in sealed files are archived, and all others are still in the log. Run the command ' +
            'again to continue',
        );
      if (summary.events > 0 || options.json) return printOne(context, { ...summary }, options);
      await terminal.out(
        `nothing to archive: events before ${time} are already archived, or must stay in the log with newer events\n`,
      );
    });
}

const HELP = `
Files are written, read back and sealed before any event is removed from the log, so an interruption loses no events.
The files are in DATA_DIR/archive and are part of the data directory: never delete any of them. "grantlog backup"
includes the archived events. To read the files without the server: zcat DATA_DIR/archive/*.jsonl.gz

The archive of a log in PostgreSQL (GRANTLOG_LOG) is in GRANTLOG_ARCHIVE, a directory that all nodes share. Events are
removed from the database only after every running node has found the new files. The database role must be allowed to
remove events.
`;
