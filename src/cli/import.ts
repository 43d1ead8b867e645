import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ImportSummary } from '../operations/import.ts';
import { OperationRefused } from '../operations/refused.ts';
import { readDjangoOAuthToolkit } from '../operations/import/django-oauth-toolkit.ts';
import type { ImportResult, ParsedFile } from '../operations/import/entry.ts';
import { readJsonl } from '../operations/import/jsonl.ts';
import { commandGroup, withJsonOption, type CliContext } from './context.ts';
import { CannotRun } from './exit.ts';
import { formatJson, formatTable } from './print.ts';
import { decodeUtf8 } from './decode-utf8.ts';

/** A long import writes some hundred a second. */
const ENTRIES_PER_REPORT = 1_000;

const COLUMNS = ['kind', 'name', 'from', 'outcome', 'says'];

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly leaveOutRefused?: boolean;
  readonly json?: true;
}

const FORMATS: readonly (readonly [string, string, (text: string) => ParsedFile])[] = [
  [
    'django-oauth-toolkit',
    'applications, users and groups of an installation of django-oauth-toolkit, as manage.py dumpdata writes them',
    readDjangoOAuthToolkit,
  ],
  ['jsonl', 'users, groups and applications, one JSON object a line', readJsonl],
];

export function importCommands(program: Command, bench: CliContext): void {
  const group = commandGroup(
    program,
    'import',
    'bring in what another server has; all of it is checked before the first is written, and what is there already stays',
  );
  for (const [format, summary, read] of FORMATS) {
    withJsonOption(group.command(format).description(summary).argument('<file>', 'the file; - reads standard input'))
      .option('--dry-run', 'say what would become of each, and write nothing')
      .option('--leave-out-refused', 'bring in the rest where some are refused')
      .action(async (file: string, options: ImportOptions) =>
        runImport(bench, read(await readText(file, bench)), options),
      );
  }
}

async function readText(file: string, { terminal }: CliContext): Promise<string> {
  if (file === '-') return terminal.readInput();
  return decodeUtf8(readBytes(file), file);
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CannotRun(`${file} cannot be read`, { cause: error });
  }
}

async function runImport(
  { terminal, call }: CliContext,
  { candidates, skipped: left }: ParsedFile,
  { dryRun = false, leaveOutRefused = false, json: asJson }: ImportOptions,
): Promise<void> {
  if (candidates.length === 0) throw new CannotRun('there is no user, group or application in the file');
  const fates: ImportResult[] = [];
  let end: ImportSummary | undefined;
  for await (const item of call('import', { candidates, dryRun, leaveOutRefused }, { create: !dryRun })) {
    const one = item as ImportResult | ImportSummary;
    if ('imported' in one) end = one;
    else fates.push(one);
    if (fates.length % ENTRIES_PER_REPORT === 0 && end === undefined)
      terminal.err(`${fates.length} of ${candidates.length}\n`);
  }
  const rows = [...fates, ...left];
  const imported = end?.imported ?? false;
  await terminal.out(
    asJson
      ? formatJson({ imported, entries: rows })
      : `${formatTable(
          COLUMNS,
          rows.map(({ says, ...row }) => ({ ...row, says: says.join('; ') })),
        )}\n${countOutcomes(rows)}\n`,
  );
  if (end === undefined)
    throw new CannotRun('the import was interrupted; run it again, and it goes on with what is missing');
  const refused = fates.filter(({ outcome }) => outcome === 'refused').length;
  if (refused > 0 && !leaveOutRefused)
    throw new OperationRefused(
      `${dryRun ? 'nothing would be' : 'nothing was'} imported, for ${refused} of ${fates.length} ${refused === 1 ? 'is' : 'are'} refused; do what is said of them, or bring in the rest with --leave-out-refused`,
    );
}

function countOutcomes(rows: readonly ImportResult[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
}
