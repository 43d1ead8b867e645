import { eventTypeProblem } from '../operations/event-filter.ts';
import { Option, type Command } from 'commander';
import type { ReplayProgress, ReplayResult } from '../operations/replay.ts';
import { archiveCommand } from './archive.ts';
import { EVENT_CSV_HEADER } from '../audit/queries/exported-event.ts';
import { blastRadiusCommand } from './blast-radius.ts';
import { asOfCommand } from './as-of.ts';
import { attestationCommands, exportBundle } from './attestation.ts';
import { collect, commandGroup, printChunks, withJsonOption, parseWholeNumber, type CliContext } from './context.ts';
import { exchangeChainCommand } from './exchange-chain.ts';
import { printEmptyList } from './empty-lists.ts';
import { CannotRunError } from './exit.ts';
import { toCsvRow } from './exported-event.ts';
import { parseTime } from './time-arguments.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { escapeControls, formatJson, formatTable, wrapWithHangingIndent } from './print.ts';
import type { Terminal } from './terminal.ts';
import { whatIfCommand } from './what-if.ts';

/** The filters of `tail` and `export`, which the operations apply. */
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
      new Option('--type <type>', 'only events of this type, such as GrantRevoked (repeatable)').argParser(
        collectEventType,
      ),
    )
    .option(
      '--user <name>',
      'only events about or caused by this user, including their grants and applications (not erased users)',
    )
    .option('--client <id>', 'only events about or caused by this application, including its grants')
    .addOption(new Option('--since <time>', 'only events recorded at or after this ISO 8601 time').argParser(parseTime))
    .addOption(new Option('--until <time>', 'only events recorded before this ISO 8601 time').argParser(parseTime));
}

/**
 * Validates an event type, and adds it to the previous values of a repeatable option.
 * @throws CannotRunError if no event type has this name
 */
function collectEventType(type: string, previousTypes: readonly string[] | undefined): readonly string[] {
  const problem = eventTypeProblem(type);
  if (problem !== undefined) throw new CannotRunError(`--type: ${problem}`);
  return collect(type, previousTypes);
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

/** Adds the `log` command group, and returns it. */
export function logCommands(program: Command, context: CliContext): Command {
  const { terminal, call } = context;
  const log = commandGroup(program, 'log', 'the event log');
  attestationCommands(log, context);
  asOfCommand(log, context);
  exchangeChainCommand(log, context);
  blastRadiusCommand(log, context);
  whatIfCommand(log, context);
  archiveCommand(log, context);

  withFilters(withJsonOption(log.command('tail').description('show the newest events, oldest first')))
    .addOption(new Option('-n, --limit <count>', 'number of events').argParser(parseWholeNumber).default(20))
    .option('--follow', 'keep printing new events')
    .action(
      async ({
        limit,
        follow = false,
        json: asJson = false,
        ...filters
      }: Filters & { limit: number; follow?: boolean; json?: boolean }) => {
        const input = { limit, follow, sentences: !asJson, ...toFilterInput(filters) };
        let isEmpty = true;
        for await (const line of call('log tail', input)) {
          isEmpty = false;
          await terminal.out(`${asJson ? String(line) : fitEvent(terminal, escapeControls(String(line)))}\n`);
        }
        if (isEmpty && !asJson && !follow)
          printEmptyList(terminal, 'log tail', { isNarrowed: Object.keys(filters).length > 0 });
      },
    );

  withFilters(
    withJsonOption(log.command('export').description('print the position and the exact stored record of each event')),
  )
    .addOption(
      new Option('--format <format>', 'JSON lines, or CSV for spreadsheets').choices(['jsonl', 'csv']).default('jsonl'),
    )
    .option(
      '--bundle <directory>',
      'write the whole log to a directory instead, as a static, verifiable log (C2SP tlog-tiles)',
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
          throw new CannotRunError('--bundle exports the whole log: omit --format csv and the filters');
        if (asJson && format === 'csv') throw new CannotRunError('--json and --format csv cannot be combined');
        if (bundle !== undefined) return exportBundle(context, bundle);
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
        else await printResult(step, options);
      }
    });
  return log;

  async function printResult(result: ReplayResult, options: { readonly json?: true }): Promise<void> {
    await terminal.out(
      options.json
        ? formatJson(result)
        : formatTable(
            terminal,
            // Equal digests are omitted, because they contain no information.
            result.same ? ['name', 'same'] : ['name', 'same', 'rebuilt', 'running', 'first_difference'],
            result.projections.map(({ rebuilt, running, ...comparison }) => ({
              ...comparison,
              ...(comparison.same
                ? {}
                : { rebuilt: rebuilt.slice(0, DIGEST_PREFIX_LENGTH), running: running.slice(0, DIGEST_PREFIX_LENGTH) }),
            })),
          ),
    );
    if (!options.json) await terminal.out(`${result.same ? 'the same' : 'DIFFERENT'} at position ${result.position}\n`);
    if (result.same) return;
    const differences = result.projections
      .filter(({ same }) => !same)
      .map(({ name, first_difference: position }) =>
        position === null ? name : `${name} from the entry created at position ${position}`,
      );
    throw new OperationRefused(
      `the running state does not match the log: ${differences.join(', ')}; restart the server and report this bug`,
    );
  }
}

/** Fits a `log tail` line to a terminal: drops fractions of seconds, and aligns wrapped lines with the sentence. */
function fitEvent({ tableWidth }: Pick<Terminal, 'tableWidth'>, line: string): string {
  if (tableWidth === undefined) return line;
  const text = line.replace(/^(\d+ {2}\S+?)\.\d{3}Z/, '$1Z');
  return wrapWithHangingIndent(text, tableWidth, /^\d+ {2}\S+ {2}/.exec(text)?.[0].length ?? 0);
}

/** Enough characters to show that two digests differ; --json prints whole digests. */
const DIGEST_PREFIX_LENGTH = 12;

const REPLAY_HELP = `
The exit status is 1 if a projection differs. FIRST DIFFERENCE is then the position of the event that created the first
differing entry, if that position is known. The running state has no history, so the command cannot determine which
event caused the difference; to investigate, use grantlog log export --since and grantlog log as-of --position.
`;

function formatProgress({ replayed, head, seconds }: ReplayProgress): string {
  const line = `replayed ${replayed} of ${head} events`;
  if (seconds <= 0) return `${line}\n`;
  const perSecond = replayed / seconds;
  return `${line}, ${Math.round(perSecond)} per second, ${Math.ceil((head - replayed) / perSecond)} s left\n`;
}
