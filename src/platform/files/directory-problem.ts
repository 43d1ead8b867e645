import { lstatSync, readlinkSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Returns why `path` cannot be used as a directory, as a clause that follows the path in an error message. Returns
 * undefined if `path` is a directory, or does not exist but could be created.
 */
export function findDirectoryProblem(path: string): string | undefined {
  const target = resolve(path);
  let ancestor = target;
  try {
    while (readStats(lstatSync, ancestor) === undefined) ancestor = dirname(ancestor);
    const subject = ancestor === target ? 'it' : ancestor;
    const stats = readStats(statSync, ancestor);
    if (stats === undefined) return `${subject} is a symbolic link to ${readlinkSync(ancestor)}, which does not exist`;
    return stats.isDirectory() ? undefined : `${subject} is not a directory`;
  } catch (error) {
    return `${ancestor === target ? 'it' : ancestor} cannot be read (${(error as Error).message})`;
  }
}

/** Returns undefined if nothing exists at `path`, for example because one of its parents is a file. */
function readStats(read: typeof statSync, path: string): Stats | undefined {
  try {
    return read(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}
