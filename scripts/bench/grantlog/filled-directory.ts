import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKOUT } from '../checkout.ts';
import type { BenchData } from './bench-data.ts';

/** The file in a filled data directory that stores its `BenchData`. */
export const BENCH_DATA_FILE = 'bench.json';

const SECONDS_PER_MILLION = 60;

/** Creates `dataDir` with this many live access tokens, as a copy of a directory in bench-data/ that is filled once. */
export function copyFilledDirectory(tokens: number, dataDir: string, report: (line: string) => void): BenchData {
  const filled = join(CHECKOUT, 'bench-data', `tokens-${tokens}`);
  if (!existsSync(filled)) {
    const seconds = Math.ceil((tokens / 1_000_000) * SECONDS_PER_MILLION);
    report(`issuing ${tokens} tokens into ${filled}, which takes about ${seconds} s, once`);
    mkdirSync(dirname(filled), { recursive: true });
    const fill = fileURLToPath(new URL('fill.ts', import.meta.url));
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', fill, filled, String(tokens)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`cannot fill ${filled}`);
  }
  cpSync(filled, dataDir, { recursive: true });
  spawnSync('sync'); // else the system would write it out during the measurement
  const data = JSON.parse(readFileSync(join(dataDir, BENCH_DATA_FILE), 'utf8')) as BenchData;
  return { ...data, dataDir };
}
