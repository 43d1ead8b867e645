import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ticks } from '../ports.ts';
import type { Storage } from './state-gauges.ts';

/**
 * The directories that grow. Tiles are left out: they add only a twelfth of the log's size, but there are too many of
 * them to scan.
 */
const PARTS = ['log', 'archive', 'snapshots'];

/** A large log has thousands of files, so the sizes are cached. */
const MAX_AGE_MILLISECONDS = 60_000;

/**
 * Returns a function that measures the parts of `dataDir`. Missing parts, as in an in-memory service, have size 0.
 * @param directories.archive the directory of the archive, if it is not in `dataDir`
 * @param measureShared measures the parts that are in a database; if it fails, its last result is used
 */
export function createStorageMeter(
  { dataDir, archive }: { readonly dataDir: string; readonly archive: string | null },
  ticks: Ticks,
  measureShared: () => Promise<Sizes> = async () => ({}),
): () => Promise<Storage> {
  let latest: Promise<Storage> | undefined;
  let measuredAt = 0;
  let sharedSizes: Sizes = {};

  const partDirectory = (part: string): string => (part === 'archive' && archive) || join(dataDir, part);

  async function measure(): Promise<Storage> {
    sharedSizes = await measureShared().catch(() => sharedSizes);
    const directorySizes = await Promise.all(
      PARTS.map(async (part) => [part, await directoryBytes(partDirectory(part))] as const),
    );
    const free = await statfs(dataDir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => 0,
    );
    return { sizes: { ...Object.fromEntries(directorySizes), ...sharedSizes }, free };
  }

  return () => {
    if (latest === undefined || ticks() - measuredAt > MAX_AGE_MILLISECONDS) {
      measuredAt = ticks();
      latest = measure();
    }
    return latest;
  };
}

type Sizes = Storage['sizes'];

async function directoryBytes(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(directory, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  ); // files may disappear after they are listed
  return sizes.reduce((sum, size) => sum + size, 0);
}
