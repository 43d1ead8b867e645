import { Option, type Command } from 'commander';
import type { ArchiveStep } from '../event-store/event-log.ts';
import { printOne, withJsonOption, type CliContext } from './context.ts';
import { CannotRun } from './exit.ts';
import { parseTime } from './instant.ts';

interface ArchiveSummary {
  readonly events: number;
  readonly end: number;
  readonly files: readonly string[];
}

/** Moves old events to where they need less room. */
export function archiveCommand(log: Command, bench: CliContext): void {
  const { terminal, call } = bench;

  withJsonOption(
    log
      .command('archive')
      .description(
        'move old events into compressed, sealed files in DATA_DIR/archive; every command goes on reading them',
      ),
  )
    .addOption(
      new Option('--before <time>', 'move what was recorded before this ISO 8601 time')
        .argParser(parseTime)
        .makeOptionMandatory(),
    )
    .addHelpText('after', HELP)
    .action(async ({ before, ...options }: { before: number; json?: true }) => {
      let summary: ArchiveSummary | undefined;
      for await (const item of call('log archive', { before })) {
        const part = item as ArchiveStep | ArchiveSummary;
        if ('step' in part) terminal.err(`${part.step} up to position ${part.position}\n`);
        else summary = part;
      }
      if (summary === undefined)
        throw new CannotRun(
          'stopped; what is sealed is archived, all else is in the log as before. Run it again to go on',
        );
      if (summary.events > 0 || options.json) return printOne(bench, { ...summary }, options);
      await terminal.out(
        `nothing to archive: what was recorded before ${new Date(before).toISOString()} is archived already, or is kept together with newer events\n`,
      );
    });
}

const HELP = `
The files are made, read back and sealed before anything is dropped; an interruption at any moment loses
nothing. They belong to the data directory like the log itself: back up with "grantlog backup", which reads
both, and never remove one. For a look without the server: zcat DATA_DIR/archive/*.jsonl.gz
`;
