import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

const DAY_MILLISECONDS = 86_400_000;

/**
 * Removes the files of interrupted runs. The log still has those events, and no seal covers the files. Never removes a
 * file with a seal, or a file that the archive did not write.
 * @param tag the tag of this process, if several processes write to the directory. In that case, files of other
 *   processes are removed only after a day, so that a process that was suspended does not remove files that another
 *   process is writing.
 */
export async function removeUnsealed(directory: string, tag: string | undefined): Promise<void> {
  const names = await readdir(directory);
  const unsealedNames = names.filter((name) => isArchiveFile(name) && !names.includes(sealName(name)));
  const isOwnFile = (name: string): boolean => tag === undefined || name.includes(`.${tag}.`);
  const otherNames = unsealedNames.filter((name) => !isOwnFile(name));
  const now = otherNames.length === 0 ? 0 : await readFileSystemTime(directory, `probe.${tag}.new`);
  for (const name of unsealedNames) {
    const path = join(directory, name);
    if (isOwnFile(name) || now - (await stat(path)).mtimeMs > DAY_MILLISECONDS) await rm(path, { force: true });
  }
}

const SEGMENT_FILE = /^\d{16}-\d{16}(?:\.[0-9a-f-]+)?\.(?:jsonl\.gz|index)$/;
const DRAFT_FILE = /^(?:records|index|seal|probe)(?:\.[0-9a-f-]+)?\.new$/;

const isArchiveFile = (name: string): boolean => SEGMENT_FILE.test(name) || DRAFT_FILE.test(name);

const sealName = (name: string): string => name.replace(/\.(?:jsonl\.gz|index|new)$/, '.seal');

/** Returns the current time according to the clock of the directory's file system. */
async function readFileSystemTime(directory: string, name: string): Promise<number> {
  const path = join(directory, name);
  await writePrivateFile(path, []);
  const { mtimeMs } = await stat(path);
  await rm(path);
  return mtimeMs;
}
