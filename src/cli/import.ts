import type { Command } from 'commander';
import type { ImportSummary } from '../operations/import.ts';
import { OperationRefused } from '../operations/control/operation-refused.ts';
import { readDjangoOAuthToolkit } from '../operations/import/django-oauth-toolkit.ts';
import type { ImportResult, ParsedFile } from '../operations/import/entry.ts';
import { readJsonl } from '../operations/import/jsonl.ts';
import { readKeycloak } from '../operations/import/keycloak.ts';
import { commandGroup, withJsonOption, type CliContext } from './context.ts';
import { CannotRunError } from './exit.ts';
import { formatJson, formatTable } from './print.ts';
import { readText } from './read-file.ts';

/** Yields a progress line every few seconds, because an import writes a few hundred entries per second. */
const ENTRIES_PER_REPORT = 1_000;

const COLUMNS = ['kind', 'name', 'from', 'outcome', 'says'];

const OUTCOME_LABELS: Readonly<Record<ImportResult['outcome'], string>> = {
  taken: 'new',
  changed: 'new with changes',
  there: 'exists',
  refused: 'refused',
  left: 'skipped',
};

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly leaveOutRefused?: boolean;
  readonly json?: true;
}

const FORMATS: readonly (readonly [string, string, (text: string) => ParsedFile])[] = [
  [
    'django-oauth-toolkit',
    'import from django-oauth-toolkit: the output of manage.py dumpdata',
    readDjangoOAuthToolkit,
  ],
  ['keycloak', 'import from Keycloak: the output of kc.sh export for one realm', readKeycloak],
  ['jsonl', 'import users, groups and applications, one JSON object per line', readJsonl],
];

/** Adds the `import` command group. */
export function importCommands(program: Command, context: CliContext): void {
  const group = commandGroup(
    program,
    'import',
    'import users and applications from another server (validated first; existing entries stay unchanged)',
  );
  for (const [format, summary, parse] of FORMATS) {
    withJsonOption(group.command(format).description(summary).argument('<file>', 'file, or - for standard input'))
      .option('--dry-run', 'report what would happen, without writing anything')
      .option('--leave-out-refused', 'import the other entries even if some are refused')
      .action(async (file: string, options: ImportOptions) =>
        runImport(context, parse(await readText(file, context)), options),
      );
  }
}

async function runImport(
  { terminal, call }: CliContext,
  { candidates, skipped }: ParsedFile,
  { dryRun = false, leaveOutRefused = false, json: asJson }: ImportOptions,
): Promise<void> {
  if (candidates.length === 0) throw new CannotRunError('the file contains no users, groups or applications');
  const results: ImportResult[] = [];
  let summary: ImportSummary | undefined;
  for await (const item of call('import', { candidates, dryRun, leaveOutRefused }, { create: !dryRun })) {
    const part = item as ImportResult | ImportSummary;
    if ('imported' in part) summary = part;
    else results.push(part);
    if (results.length % ENTRIES_PER_REPORT === 0 && summary === undefined)
      terminal.err(`${results.length} of ${candidates.length} entries\n`);
  }
  const rows = [...results, ...skipped];
  const isImported = summary?.imported ?? false;
  await terminal.out(
    asJson
      ? formatJson({ imported: isImported, entries: rows })
      : `${formatTable(
          terminal,
          COLUMNS,
          rows.map(({ kind, name, outcome, says, ...row }) => ({
            ...row,
            kind: kind || null,
            name: name || null,
            outcome: OUTCOME_LABELS[outcome],
            says: says.join('; ') || null,
          })),
        )}\n${countOutcomes(rows)}${dryRun ? '; this was a dry run, so nothing was imported' : ''}\n`,
  );
  if (summary === undefined)
    throw new CannotRunError('the import was interrupted; run it again to import the remaining entries');
  const refusedCount = results.filter(({ outcome }) => outcome === 'refused').length;
  if (refusedCount > 0 && !leaveOutRefused)
    throw new OperationRefused(
      `nothing ${dryRun ? 'would be' : 'was'} imported, because ${refusedCount} of ${results.length} entries are ` +
        'refused: see the SAYS column, or import the other entries with --leave-out-refused',
    );
}

function countOutcomes(rows: readonly ImportResult[]): string {
  const counts = new Map<ImportResult['outcome'], number>();
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${OUTCOME_LABELS[outcome]}`).join(', ');
}
