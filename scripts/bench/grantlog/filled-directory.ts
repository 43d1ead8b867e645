import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKOUT } from '../checkout.ts';
import type { BenchData } from './bench-data.ts';

/** Where a filled data directory keeps what it was furnished with. */
export const BENCH_DATA_FILE = 'bench.json';

const SECONDS_PER_MILLION = 60;

/**
 * A data directory with so many live access tokens, to be measured at `dataDir`: a copy of one in bench-data/, which is made
 * when it is not there.
 */
export function copyFilledDirectory(tokens: number, dataDir: string, say: (line: string) => void): BenchData {
  const kept = join(CHECKOUT, 'bench-data', `tokens-${tokens}`);
  if (!existsSync(kept)) {
    say(
      `issuing ${tokens} tokens into ${kept}; that takes about ${Math.ceil((tokens / 1_000_000) * SECONDS_PER_MILLION)} s, once`,
    );
    mkdirSync(dirname(kept), { recursive: true });
    const fill = fileURLToPath(new URL('fill.ts', import.meta.url));
    const { status } = spawnSync(process.execPath, ['--import', 'tsx', fill, kept, String(tokens)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Error(`${kept} could not be filled`);
  }
  cpSync(kept, dataDir, { recursive: true });
  spawnSync('sync'); // or the system writes it all out while something is measured
  const furnished = JSON.parse(readFileSync(join(dataDir, BENCH_DATA_FILE), 'utf8')) as BenchData;
  return { ...furnished, dataDir };
}
