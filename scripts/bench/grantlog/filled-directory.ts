import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKOUT } from '../checkout.ts';
import type { BenchData } from './bench-data.ts';

/** The file in a filled data directory that stores its `BenchData`. */
export const BENCH_DATA_FILE = 'bench.json';

const SECONDS_PER_MILLION = 60;

/**
 * Copies a directory with this many live access tokens to `dataDir`. Fills the original in bench-data/ on first use.
 */
export function copyFilledDirectory(tokens: number, dataDir: string, report: (line: string) => void): BenchData {
  const original = join(CHECKOUT, 'bench-data', `tokens-${tokens}`);
  if (!existsSync(original)) {
    const seconds = Math.ceil((tokens / 1_000_000) * SECONDS_PER_MILLION);
    report(`issuing ${tokens} tokens into ${original}, which takes about ${seconds} s the first time`);
    mkdirSync(dirname(original), { recursive: true });
    const fill = fileURLToPath(new URL('fill.ts', import.meta.url));
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', fill, original, String(tokens)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`cannot fill ${original}`);
  }
  cpSync(original, dataDir, { recursive: true });
  spawnSync('sync'); // otherwise the system would write the copy to disk during the measurement
  const data = JSON.parse(readFileSync(join(dataDir, BENCH_DATA_FILE), 'utf8')) as BenchData;
  return { ...data, dataDir };
}
