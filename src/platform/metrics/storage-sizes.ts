import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ticks } from '../ports.ts';
import type { Storage } from './state-gauges.ts';

/** The directories that grow. Tiles are left out: they grow by a twelfth of the log, in too many files to scan. */
const PARTS = ['log', 'archive', 'snapshots'];

/** A large log has thousands of files, so the sizes are cached. */
const MAX_AGE_MILLISECONDS = 60_000;

/** The sizes of the parts of `dataDir`; zero for missing ones, as for a service that runs in memory. */
export function storageSizes(dataDir: string, ticks: Ticks): () => Promise<Storage> {
  let newest: Promise<Storage> | undefined;
  let measuredAt = 0;
  return () => {
    if (newest === undefined || ticks() - measuredAt > MAX_AGE_MILLISECONDS) {
      measuredAt = ticks();
      newest = measure(dataDir);
    }
    return newest;
  };
}

async function measure(dataDir: string): Promise<Storage> {
  const sizes = await Promise.all(
    PARTS.map(async (part) => [part, await directoryBytes(join(dataDir, part))] as const),
  );
  const free = await statfs(dataDir).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return { sizes: Object.fromEntries(sizes), free };
}

async function directoryBytes(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  ); // files can disappear meanwhile
  return sizes.reduce((sum, size) => sum + size, 0);
}
