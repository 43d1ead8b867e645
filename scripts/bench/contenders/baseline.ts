import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildCheckout } from '../checkout.ts';
import type { createBenchData } from '../grantlog/bench-data.ts';
import type { Contender, ContenderContext } from './contender.ts';
import { startGrantlogContender } from './grantlog.ts';

export const BASELINE = 'baseline';

/**
 * Builds and starts another version of Grantlog. That version creates its own data, because it may refuse a log that a
 * later version wrote.
 * @param checkout a checkout of that version, with its dependencies installed
 * @param codes the number of codes to issue before the server starts
 * @throws Error if the directory is not such a checkout
 */
export async function startBaseline(context: ContenderContext, checkout: string, codes: number): Promise<Contender> {
  const directory = resolve(checkout);
  const benchData = join(directory, 'scripts/bench/grantlog/bench-data.ts');
  if (![benchData, join(directory, 'node_modules')].every((path) => existsSync(path)))
    throw new Error(`--baseline: ${directory} is not a checkout of Grantlog with its dependencies installed (npm ci)`);
  buildCheckout(directory);
  const { href } = pathToFileURL(benchData);
  const baselineModule = (await import(href)) as { readonly createBenchData: typeof createBenchData };
  const data = await baselineModule.createBenchData(join(context.directory, BASELINE), codes);
  return startGrantlogContender(context, data, { name: BASELINE, checkout: directory });
}
