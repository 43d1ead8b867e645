import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a directory and its parents, accessible only to the owner. Node's recursive mkdir hangs where directories
 * cannot be created, such as below /proc.
 */
export function makePrivateDirectory(path: string): void {
  const missingDirectories: string[] = [];
  for (let ancestor = resolve(path); !existsSync(ancestor); ancestor = dirname(ancestor))
    missingDirectories.unshift(ancestor);
  for (const directory of missingDirectories) {
    try {
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error; // EEXIST: another process has created it
    }
  }
}

/** Reads the file as text. Returns undefined if the file does not exist. */
export function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes `content` to `path` atomically and durably, with mode 0600.
 * @param temporaryPath the path of a temporary file in the same directory
 */
export function replaceFile(path: string, content: string | Uint8Array, temporaryPath = `${path}.new`): void {
  writeDurably(temporaryPath, content, 'w');
  moveDurably(temporaryPath, path);
}

/**
 * Durably creates a file with mode 0600 unless it already exists. If several processes try, exactly one creates it, and
 * none sees a partial file.
 * @param temporaryPath the path of a temporary file in the same directory, unique to this process
 * @throws Error, such as EPERM if the file system does not support hard links
 */
export function createFile(path: string, text: string, temporaryPath: string): void {
  try {
    writeDurably(temporaryPath, text, 'w');
    linkSync(temporaryPath, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporaryPath, { force: true });
  }
  syncDirectory(dirname(path));
}

/** Durably renames `source`, whose content must already be durable. */
export function moveDurably(source: string, target: string): void {
  renameSync(source, target);
  syncDirectory(dirname(target));
}

/** Durably appends `content` to `path`, with mode 0600. On failure, removes what was appended, if possible. */
export function appendDurably(path: string, content: string | Uint8Array): void {
  writeDurably(path, content, 'a');
}

function writeDurably(path: string, content: string | Uint8Array, flags: 'w' | 'a'): void {
  const file = openSync(path, flags, 0o600);
  const previousSize = fstatSync(file).size;
  try {
    writeFileSync(file, content); // unlike `writeSync`, writes everything
    fsyncSync(file);
  } catch (error) {
    ignoreErrors(() => ftruncateSync(file, previousSize)); // so that the next append does not follow a fragment
    throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Durably overwrites the content of the file at `offset` with `text` (latin1). Continues after partial writes, which
 * happen on a disk that is almost full. A failure does not leave the file longer than it was.
 */
export async function overwriteDurably(file: FileHandle, text: string, offset: number): Promise<void> {
  const bytes = Buffer.from(text, 'latin1');
  const { size } = await file.stat();
  try {
    for (let totalWritten = 0; totalWritten < bytes.length;) {
      const { bytesWritten } = await file.write(
        bytes,
        totalWritten,
        bytes.length - totalWritten,
        offset + totalWritten,
      );
      if (bytesWritten === 0)
        throw new Error(`wrote only ${totalWritten} of ${bytes.length} bytes; the disk may be full`);
      totalWritten += bytesWritten;
    }
    await file.datasync();
  } catch (error) {
    await file.truncate(size).catch(() => {}); // the original error is thrown
    throw error;
  }
}

/** Makes the creation and renaming of files in the directory durable. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** For cleaning up after an error that the caller throws. */
function ignoreErrors(act: () => void): void {
  try {
    act();
  } catch {
    // the original error is thrown
  }
}
