import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operate } from '../../../src/operations/operations.ts';
import type { ImportSummary } from '../../../src/operations/import.ts';
import type { ImportResult, ParsedFile } from '../../../src/operations/import/entry.ts';
import type { RunningService } from '../../support/running-service.ts';

/** The output of `manage.py dumpdata auth.group auth.user oauth2_provider`; the README.md next to it describes it. */
export const FIXTURE = readFileSync(join(import.meta.dirname, 'django-oauth-toolkit-3.4.1.json'), 'utf8');

export interface ImportRun extends ImportSummary {
  readonly results: readonly ImportResult[];
  /** The outcomes, keyed by entry name. */
  readonly outcomes: Readonly<Record<string, ImportResult['outcome']>>;
}

/** Imports the candidates as the command does. */
export async function importFile(
  running: RunningService,
  { candidates }: ParsedFile,
  options: { readonly dryRun?: boolean; readonly leaveOutRefused?: boolean } = {},
): Promise<ImportRun> {
  const input = { candidates: structuredClone(candidates), dryRun: false, leaveOutRefused: false, ...options };
  const results: ImportResult[] = [];
  for await (const item of operate(running.service())('import', input, new AbortController().signal)) {
    const row = item as ImportResult | ImportSummary;
    if ('imported' in row)
      return {
        ...row,
        results,
        outcomes: Object.fromEntries(results.map(({ name, outcome }) => [name, outcome])),
      };
    results.push(row);
  }
  throw new Error('the import reported no summary');
}
