import { closeSync, createReadStream, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { makePrivateDirectory } from '../storage/private-files.ts';
import type { BundlePart } from './bundle.ts';

/** A bundle as files. */
export interface BundleDirectory {
  /** Everything in it that is not a directory, by its path with slashes. */
  files(): ReadonlySet<string>;
  read(file: string): Buffer;
  /** The lines of a file some at a time, without their ends; what follows the last end comes last, as `rest`. */
  lines(file: string): AsyncGenerator<{ readonly lines: readonly Buffer[]; readonly rest: Buffer }, void, void>;
}

export function openBundle(directory: string): BundleDirectory {
  return {
    files: () => new Set(readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))),
    read: (file) => readFileSync(join(directory, file)),
    async *lines(file) {
      let rest: Buffer = Buffer.alloc(0);
      for await (const chunk of createReadStream(join(directory, file)) as AsyncIterable<Buffer>) {
        const lines: Buffer[] = [];
        let start = 0;
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
          lines.push(bytes.subarray(start, end));
          start = end + 1;
        }
        rest = bytes.subarray(start);
        yield { lines, rest };
      }
    },
  };
}

/** @throws Error `directory` has something in it already */
export function mustBeFree(directory: string): void {
  if (existsSync(directory) && readdirSync(directory).length > 0) throw new Error(`${directory} is not empty; name a directory that is, or none yet`);
}

/** Writes a bundle into `directory`, for the owner of the process alone: the records tell who did what. */
export async function writeBundle(directory: string, parts: AsyncIterable<BundlePart>): Promise<void> {
  makePrivateDirectory(directory);
  let current = '';
  for await (const part of parts) {
    const path = join(directory, part.file);
    if (part.file !== current) makePrivateDirectory(dirname(path));
    current = part.file;
    const bytes = Buffer.from('text' in part ? part.text : part.base64, 'text' in part ? 'utf8' : 'base64');
    const file = openSync(path, 'a', 0o600);
    try {
      writeFileSync(file, bytes);
    } finally {
      closeSync(file);
    }
  }
}

const NEWLINE = 0x0a;
