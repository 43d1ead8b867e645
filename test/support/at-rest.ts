import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';

/** A secret that must not be found. Failing tests print its name, because they must not print the secret itself. */
export interface NamedSecret {
  readonly name: string;
  readonly text: string;
}

export interface Leak {
  readonly name: string;
  readonly location: string;
  readonly encoding: string;
}

/** Finds the parts of `contents` that contain one of the secrets, in plain text or in a common encoding. */
export function findLeaks(contents: ReadonlyMap<string, Buffer>, secrets: readonly NamedSecret[]): readonly Leak[] {
  const parts = [...contents].map(([location, content]) => ({ location, content: withoutRepetitions(content) }));
  return secrets.flatMap(({ name, text }) =>
    encodingsOf(text).flatMap(({ encoding, bytes }) =>
      parts.filter(({ content }) => content.includes(bytes)).map(({ location }) => ({ name, location, encoding })),
    ),
  );
}

const BLOCK_BYTES = 1_048_576;

/** Returns only the first two blocks if all are equal, as in the reserve file, which would take seconds to search. */
function withoutRepetitions(content: Buffer): Buffer {
  const isRepetition = content.subarray(BLOCK_BYTES).equals(content.subarray(0, -BLOCK_BYTES));
  return isRepetition ? content.subarray(0, 2 * BLOCK_BYTES) : content;
}

/** Reads every file below `directory`, byte for byte; sockets have no content. */
export function readFilesBelow(directory: string): Map<string, Buffer> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]));
}

/** Reads the entries of a closed log as LevelDB returns them, because its files may compress or split a record. */
export async function readEntries(location: string): Promise<Map<string, Buffer>> {
  const db = new Level(location);
  const entries: string[] = [];
  for await (const [key, value] of db.iterator()) entries.push(key, value);
  await db.close();
  return new Map([[`entries of ${location}`, Buffer.from(entries.join('\n'))]]);
}

/** Makes LevelDB rewrite all of a closed log. */
export async function compact(location: string): Promise<void> {
  const db = new Level(location) as Level & { compactRange(start: string, end: string): Promise<void> };
  await db.open();
  await db.compactRange('', '\u{10FFFF}');
  await db.close();
}

interface EncodedText {
  readonly encoding: string;
  readonly bytes: Buffer;
}

function encodingsOf(text: string): readonly EncodedText[] {
  const bytes = Buffer.from(text);
  return [
    { encoding: 'plain text', bytes },
    { encoding: 'UTF-16', bytes: Buffer.from(text, 'utf16le') },
    { encoding: 'JSON', bytes: Buffer.from(JSON.stringify(text).slice(1, -1)) },
    { encoding: 'part of a URL', bytes: Buffer.from(encodeURIComponent(text)) },
    ...binaryEncodings(bytes),
    ...encodingsOfRandomBits(text),
  ];
}

function binaryEncodings(bytes: Buffer): readonly EncodedText[] {
  const hex = bytes.toString('hex');
  return [
    { encoding: 'hex', bytes: Buffer.from(hex) },
    { encoding: 'uppercase hex', bytes: Buffer.from(hex.toUpperCase()) },
    ...[0, 1, 2].flatMap((offset) =>
      (['base64', 'base64url'] as const).map((encoding) => ({
        encoding: `${encoding} at ${offset}`,
        bytes: insideBase64(bytes, offset, encoding),
      })),
    ),
  ];
}

/**
 * Returns the base64 characters that depend only on `bytes`, if these begin `offset` bytes after a multiple of three.
 */
function insideBase64(bytes: Buffer, offset: number, encoding: 'base64' | 'base64url'): Buffer {
  const encodedBytes = Buffer.concat([Buffer.alloc(offset), bytes]).toString(encoding);
  return Buffer.from(encodedBytes.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)));
}

/**
 * Returns encodings of the random part of a credential, the base64url of 32 bytes, which other values could contain.
 */
function encodingsOfRandomBits(text: string): readonly EncodedText[] {
  const [, body] = /^gl[acr]_(?:[\w-]{22})?([\w-]{43})(?:[\w-]{22})?[\w-]{6}$/.exec(text) ?? [];
  if (body === undefined) return [];
  const bits = Buffer.from(body, 'base64url');
  return [
    { encoding: 'raw random bits', bytes: bits },
    { encoding: 'base64url of the random bits', bytes: Buffer.from(body) },
    { encoding: 'hex of the random bits', bytes: Buffer.from(bits.toString('hex')) },
  ];
}
