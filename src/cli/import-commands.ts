import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { ImportEnd } from '../operations/import-operations.ts';
import { OperationRefused } from '../operations/refused.ts';
import { readDjangoOAuthToolkit } from '../operations/import/django-oauth-toolkit.ts';
import type { Fate, Reading } from '../operations/import/entry.ts';
import { readJsonl } from '../operations/import/jsonl.ts';
import { commandGroup, printsData, type Workbench } from './command.ts';
import { CannotRun } from './exit.ts';
import { json, table } from './print.ts';
import { textIn } from './text.ts';

/** A long import writes some hundred a second. */
const SAY_EVERY = 1_000;

const COLUMNS = ['kind', 'name', 'from', 'outcome', 'says'];

interface Options {
  readonly dryRun?: boolean;
  readonly leaveOutRefused?: boolean;
  readonly json?: true;
}

const FORMATS: readonly (readonly [string, string, (text: string) => Reading])[] = [
  [
    'django-oauth-toolkit',
    'applications, users and groups of an installation of django-oauth-toolkit, as manage.py dumpdata writes them',
    readDjangoOAuthToolkit,
  ],
  ['jsonl', 'users, groups and applications, one JSON object a line', readJsonl],
];

export function importCommands(program: Command, bench: Workbench): void {
  const group = commandGroup(
    program,
    'import',
    'bring in what another server has; all of it is checked before the first is written, and what is there already stays',
  );
  for (const [format, summary, read] of FORMATS) {
    printsData(group.command(format).description(summary).argument('<file>', 'the file; - reads standard input'))
      .option('--dry-run', 'say what would become of each, and write nothing')
      .option('--leave-out-refused', 'bring in the rest where some are refused')
      .action(async (file: string, options: Options) => importing(bench, read(await textOf(file, bench)), options));
  }
}

async function textOf(file: string, { terminal }: Workbench): Promise<string> {
  if (file === '-') return terminal.readInput();
  return textIn(bytesOf(file), file);
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CannotRun(`${file} cannot be read`, { cause: error });
  }
}

async function importing(
  { terminal, call }: Workbench,
  { candidates, left }: Reading,
  { dryRun = false, leaveOutRefused = false, json: asJson }: Options,
): Promise<void> {
  if (candidates.length === 0) throw new CannotRun('there is no user, group or application in the file');
  const fates: Fate[] = [];
  let end: ImportEnd | undefined;
  for await (const item of call('import', { candidates, dryRun, leaveOutRefused }, { create: !dryRun })) {
    const one = item as Fate | ImportEnd;
    if ('imported' in one) end = one;
    else fates.push(one);
    if (fates.length % SAY_EVERY === 0 && end === undefined) terminal.err(`${fates.length} of ${candidates.length}\n`);
  }
  const rows = [...fates, ...left];
  const imported = end?.imported ?? false;
  await terminal.out(
    asJson
      ? json({ imported, entries: rows })
      : `${table(
          COLUMNS,
          rows.map(({ says, ...row }) => ({ ...row, says: says.join('; ') })),
        )}\n${counted(rows)}\n`,
  );
  if (end === undefined)
    throw new CannotRun('the import was interrupted; run it again, and it goes on with what is missing');
  const refused = fates.filter(({ outcome }) => outcome === 'refused').length;
  if (refused > 0 && !leaveOutRefused)
    throw new OperationRefused(
      `${dryRun ? 'nothing would be' : 'nothing was'} imported, for ${refused} of ${fates.length} ${refused === 1 ? 'is' : 'are'} refused; do what is said of them, or bring in the rest with --leave-out-refused`,
    );
}

function counted(rows: readonly Fate[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
}
