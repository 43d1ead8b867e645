import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * For the owner of the process alone. Not by Node's recursive making, which never ends where the
 * file system takes no directories, such as below /proc.
 */
export function makePrivateDirectory(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const directory of missing) mkdirSync(directory, { mode: 0o700 });
}

/** The file's text; undefined when there is none. */
export function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Puts `text` at `path`, mode 0600, whole or not at all, and durable when it returns. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  writeDurably(draft, text, 'w');
  moveDurably(draft, path);
}

/** Renames what is at `from`, all of it written already; durable when it returns. */
export function moveDurably(from: string, to: string): void {
  renameSync(from, to);
  syncDirectory(dirname(to));
}

/** Adds `text` to the end of `path`, mode 0600; durable when it returns. On an error, nothing of it is left. */
export function appendDurably(path: string, text: string): void {
  writeDurably(path, text, 'a');
}

function writeDurably(path: string, text: string, flags: 'w' | 'a'): void {
  const file = openSync(path, flags, 0o600);
  const before = fstatSync(file).size;
  try {
    writeFileSync(file, text); // all of it, where one write may take a part
    fsyncSync(file);
  } catch (error) {
    ignoreErrors(() => ftruncateSync(file, before)); // so that the next text does not begin behind a fragment
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Overwrites the file from `at` on with `text`, one byte a character; durable when it resolves. One write may take only
 * a part, as on a disk that fills: this writes the rest as well. On an error, the file is not longer than before.
 */
export async function overwriteDurably(file: FileHandle, text: string, at: number): Promise<void> {
  const bytes = Buffer.from(text, 'latin1');
  const { size } = await file.stat();
  try {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done);
      if (bytesWritten === 0) throw new Error('the disk took no more bytes');
      done += bytesWritten;
    }
    await file.datasync();
  } catch (error) {
    await file.truncate(size).catch(() => {}); // the reason of the failure matters more
    throw error;
  }
}

/** What was created or renamed in the directory before is durable when it returns. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** For what comes after a failure whose reason matters more. */
function ignoreErrors(act: () => void): void {
  try {
    act();
  } catch {
    // the first error is thrown
  }
}
