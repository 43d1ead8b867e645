import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operate } from '../../../src/operations/operations.ts';
import type { ImportEnd } from '../../../src/operations/import-operations.ts';
import type { Fate, Reading } from '../../../src/operations/import/entry.ts';
import type { RunningService } from '../../support/running-service.ts';

/** What `manage.py dumpdata auth.group auth.user oauth2_provider` wrote; README.md beside it says of what. */
export const FIXTURE = readFileSync(join(import.meta.dirname, 'django-oauth-toolkit-3.4.1.json'), 'utf8');

export interface Imported extends ImportEnd {
  readonly fates: readonly Fate[];
  /** By name. */
  readonly outcomes: Readonly<Record<string, Fate['outcome']>>;
}

/** As the command does it. */
export async function importing(
  running: RunningService,
  { candidates }: Reading,
  how: { readonly dryRun?: boolean; readonly leaveOutRefused?: boolean } = {},
): Promise<Imported> {
  const input = { candidates: structuredClone(candidates), dryRun: false, leaveOutRefused: false, ...how };
  const fates: Fate[] = [];
  for await (const item of operate(running.service())('import', input, new AbortController().signal)) {
    const one = item as Fate | ImportEnd;
    if ('imported' in one)
      return { ...one, fates, outcomes: Object.fromEntries(fates.map(({ name, outcome }) => [name, outcome])) };
    fates.push(one);
  }
  throw new Error('the import did not end');
}
