import { Option, type Command } from 'commander';
import type { ReplayProgress, ReplayResult } from '../operations/replay.ts';
import { archiveCommand } from './archive.ts';
import { EVENT_CSV_HEADER } from '../audit/queries/exported-event.ts';
import { asOfCommand } from './as-of.ts';
import { attestationCommands, exportBundle } from './attestation.ts';
import { collect, commandGroup, printChunks, withJsonOption, parseWholeNumber, type CliContext } from './context.ts';
import { CannotRun } from './exit.ts';
import { toCsvRow, toReadableLine } from './exported-event.ts';
import { parseTime } from './instant.ts';
import { OperationRefused } from '../operations/refused.ts';
import { formatJson, formatTable } from './print.ts';
import { whatIfCommand } from './what-if.ts';

/** What `tail` and `export` can be narrowed to; the operation does it, and only what is wanted is sent. */
interface Filters {
  readonly type?: readonly string[];
  readonly user?: string;
  readonly client?: string;
  readonly since?: number;
  readonly until?: number;
}

function withFilters(command: Command): Command {
  return command
    .addOption(
      new Option('--type <type>', 'only events of this type, such as GrantRevoked; may repeat').argParser(collect),
    )
    .option(
      '--user <name>',
      'only what concerns this user: events that name the account, that the user caused, or that are of a grant they gave or an application they own; an erased user has no name to ask by',
    )
    .option(
      '--client <id>',
      'only what concerns this application: events that name it, that it caused, or that are of a grant to it',
    )
    .addOption(
      new Option('--since <time>', 'only what was recorded at this ISO 8601 time or later').argParser(parseTime),
    )
    .addOption(new Option('--until <time>', 'only what was recorded before this ISO 8601 time').argParser(parseTime));
}

function toFilterInput({ type: types, user, client, since, until }: Filters) {
  return { types, user, client, since, until };
}

async function* formatExport(
  format: 'jsonl' | 'csv',
  lines: AsyncIterable<unknown>,
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield EVENT_CSV_HEADER;
  for await (const line of lines) yield format === 'csv' ? toCsvRow(String(line)) : `${String(line)}\n`;
}

/** Adds the commands under `log` and answers that word, for more of them. */
export function logCommands(program: Command, bench: CliContext): Command {
  const { terminal, call } = bench;
  const log = commandGroup(program, 'log', 'the event log');
  attestationCommands(log, bench);
  asOfCommand(log, bench);
  whatIfCommand(log, bench);
  archiveCommand(log, bench);

  withFilters(withJsonOption(log.command('tail').description('show the newest events, oldest first')))
    .addOption(new Option('--limit <count>', 'how many').argParser(parseWholeNumber).default(20))
    .option('--follow', 'go on with new ones as they are written')
    .action(
      async ({
        limit,
        follow = false,
        json: asJson = false,
        ...filters
      }: Filters & { limit: number; follow?: boolean; json?: boolean }) => {
        for await (const line of call('log tail', { limit, follow, ...toFilterInput(filters) }))
          await terminal.out(`${asJson ? String(line) : toReadableLine(String(line))}\n`);
      },
    );

  withFilters(
    withJsonOption(
      log.command('export').description('print events: each position, and its record as stored, byte for byte'),
    ),
  )
    .addOption(
      new Option('--format <format>', 'one JSON object a line, or rows for a spreadsheet')
        .choices(['jsonl', 'csv'])
        .default('jsonl'),
    )
    .option(
      '--bundle <directory>',
      'write the whole log there instead, as a static log (C2SP tlog-tiles) that others verify',
    )
    .action(
      async ({
        bundle,
        format,
        json: asJson = false,
        ...filters
      }: Filters & { bundle?: string; format: 'jsonl' | 'csv'; json?: boolean }) => {
        const isNarrowed = Object.keys(filters).length > 0;
        if (bundle !== undefined && (isNarrowed || format === 'csv'))
          throw new CannotRun('--bundle takes the whole log as it is stored: leave out --format and what narrows it');
        if (asJson && format === 'csv')
          throw new CannotRun('--json and --format csv are two formats; leave one of them out');
        if (bundle !== undefined) return exportBundle(bench, bundle);
        await printChunks(terminal, formatExport(format, call('log export', toFilterInput(filters))));
      },
    );

  withJsonOption(
    log.command('replay').description('rebuild every projection from the log and compare it with the running state'),
  )
    .addHelpText('after', REPLAY_HELP)
    .action(async (options: { json?: true }) => {
      for await (const item of call('log replay', {})) {
        const step = item as ReplayProgress | ReplayResult;
        if ('replayed' in step) terminal.err(formatProgress(step));
        else await conclude(step, options);
      }
    });
  return log;

  async function conclude(result: ReplayResult, options: { readonly json?: true }): Promise<void> {
    await terminal.out(
      options.json
        ? formatJson(result)
        : formatTable(
            ['name', 'same', 'rebuilt', 'running', 'first_difference'],
            result.projections.map((one) => ({ ...one })),
          ),
    );
    if (!options.json) await terminal.out(`${result.same ? 'the same' : 'DIFFERENT'} at position ${result.position}\n`);
    if (result.same) return;
    const different = result.projections
      .filter(({ same }) => !same)
      .map(({ name, first_difference: at }) =>
        at === null ? name : `${name} from what the event at position ${at} made`,
      );
    throw new OperationRefused(
      `the running state is not what the log says: ${different.join(', ')}; restart the server and report this`,
    );
  }
}

const REPLAY_HELP = `
Exit status 1 when a projection differs. FIRST DIFFERENCE is then the position of the event that made the
first entry in which the two differ. The running state has no history, so at which later event that entry
went wrong cannot be told; read on with: grantlog log export --since, and grantlog log as-of --position.
`;

function formatProgress({ replayed, head, seconds }: ReplayProgress): string {
  const done = `replayed ${replayed} of ${head} events`;
  if (seconds <= 0) return `${done}\n`;
  const perSecond = replayed / seconds;
  return `${done}, ${Math.round(perSecond)} a second, ${Math.ceil((head - replayed) / perSecond)} s left\n`;
}
