import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { makePrivateDirectory, moveDurably, syncDirectory } from '../../platform/files/private-files.ts';
import type { BundlePart } from './bundle.ts';

/** A bundle that is stored as a directory. */
export interface BundleDirectory {
  /** Returns the paths of all files, relative to the bundle and with forward slashes. */
  files(): ReadonlySet<string>;
  read(file: string): Buffer;
  /** Yields the lines of a file in batches, without newlines. `remainder` is the text after the last newline. */
  lines(file: string): AsyncGenerator<{ readonly lines: readonly Buffer[]; readonly remainder: Buffer }, void, void>;
}

export function openBundle(directory: string): BundleDirectory {
  return {
    files: () =>
      new Set(
        readdirSync(directory, { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/')),
      ),
    read: (file) => readFileSync(join(directory, file)),
    async *lines(file) {
      let remainder: Buffer = Buffer.alloc(0);
      for await (const chunk of createReadStream(join(directory, file)) as AsyncIterable<Buffer>) {
        const lines: Buffer[] = [];
        let start = 0;
        const bytes = remainder.length === 0 ? chunk : Buffer.concat([remainder, chunk]);
        for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
          lines.push(bytes.subarray(start, end));
          start = end + 1;
        }
        remainder = bytes.subarray(start);
        yield { lines, remainder };
      }
    },
  };
}

/**
 * Checks that a bundle can be written to `directory`.
 * @throws Error if `directory` is not empty, or an unfinished bundle is next to it
 */
export function assertEmpty(directory: string): void {
  const hasFiles = existsSync(directory) && readdirSync(directory).length > 0;
  if (hasFiles) throw new Error(`${directory} is not empty; specify an empty or new directory`);
  const draft = draftPath(directory);
  if (!existsSync(draft)) return;
  const advice = 'another export is writing it or was killed; if no export is running, remove it';
  throw new Error(`${draft} already exists: ${advice}`);
}

/** Returns the path of an unfinished bundle. */
const draftPath = (directory: string): string => `${resolve(directory)}.new`;

/**
 * Writes a bundle that only the operating-system user of this process can access, because the records show who did
 * what. Renames it to `directory` once it is complete and durable. If writing fails or `signal` is aborted, nothing is
 * left behind.
 * @throws Error if `directory` is not empty, or an unfinished bundle is next to it
 */
export async function writeBundle(
  directory: string,
  parts: AsyncIterable<BundlePart>,
  signal?: AbortSignal,
): Promise<void> {
  const draft = draftPath(directory);
  assertEmpty(directory);
  makePrivateDirectory(dirname(draft));
  mkdirSync(draft, { mode: 0o700 });
  try {
    await writeParts(draft, parts);
    signal?.throwIfAborted(); // an abort ends `parts` early without an error
    syncAll(draft);
    moveDurably(draft, resolve(directory)); // fails if the directory is no longer empty
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

async function writeParts(directory: string, parts: AsyncIterable<BundlePart>): Promise<void> {
  let currentFile = '';
  for await (const part of parts) {
    const path = join(directory, part.file);
    if (part.file !== currentFile) makePrivateDirectory(dirname(path));
    currentFile = part.file;
    const bytes = Buffer.from('text' in part ? part.text : part.base64, 'text' in part ? 'utf8' : 'base64');
    const file = openSync(path, 'a', 0o600);
    try {
      writeFileSync(file, bytes);
    } finally {
      closeSync(file);
    }
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs each file once, after all writes, because some files are written in many parts. */
function syncAll(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) syncAll(path);
    else syncFile(path);
  }
  syncDirectory(directory);
}

const NEWLINE = 0x0a;
