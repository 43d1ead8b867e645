import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';

/** Text that must not be found, and its name, because a failing test must not print the secret itself. */
export interface Sought {
  readonly what: string;
  readonly text: string;
}

export interface Found {
  readonly what: string;
  readonly where: string;
  readonly as: string;
}

/** The parts of `places` that contain a sought text, in plain text or in a usual encoding. */
export function findAtRest(places: ReadonlyMap<string, Buffer>, sought: readonly Sought[]): readonly Found[] {
  return sought.flatMap(({ what, text }) =>
    disguises(text).flatMap(({ as, bytes }) =>
      [...places].filter(([, content]) => content.includes(bytes)).map(([where]) => ({ what, where, as })),
    ),
  );
}

/** Every file below `directory`, byte for byte; sockets have no content. */
export function filesBelow(directory: string): Map<string, Buffer> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]));
}

/** The entries of a closed log as LevelDB returns them, because its files may compress or split a record. */
export async function entriesOf(location: string): Promise<Map<string, Buffer>> {
  const db = new Level(location);
  const entries: string[] = [];
  for await (const [key, value] of db.iterator()) entries.push(key, value);
  await db.close();
  return new Map([[`entries of ${location}`, Buffer.from(entries.join('\n'))]]);
}

/** Makes LevelDB rewrite the whole of a closed log. */
export async function compact(location: string): Promise<void> {
  const db = new Level(location) as Level & { compactRange(start: string, end: string): Promise<void> };
  await db.open();
  await db.compactRange('', '\u{10FFFF}');
  await db.close();
}

interface Disguise {
  readonly as: string;
  readonly bytes: Buffer;
}

function disguises(text: string): readonly Disguise[] {
  const bytes = Buffer.from(text);
  return [
    { as: 'it is', bytes },
    { as: 'UTF-16', bytes: Buffer.from(text, 'utf16le') },
    { as: 'JSON', bytes: Buffer.from(JSON.stringify(text).slice(1, -1)) },
    { as: 'part of a URL', bytes: Buffer.from(encodeURIComponent(text)) },
    ...binaryDisguises(bytes),
    ...ofRandomBits(text),
  ];
}

function binaryDisguises(bytes: Buffer): readonly Disguise[] {
  const hex = bytes.toString('hex');
  return [
    { as: 'hex', bytes: Buffer.from(hex) },
    { as: 'HEX', bytes: Buffer.from(hex.toUpperCase()) },
    ...[0, 1, 2].flatMap((offset) =>
      (['base64', 'base64url'] as const).map((encoding) => ({
        as: `${encoding} at ${offset}`,
        bytes: insideBase64(bytes, offset, encoding),
      })),
    ),
  ];
}

/** The characters of a text in base64 that depend only on `bytes`, which begin `offset` bytes after a multiple of 3. */
function insideBase64(bytes: Buffer, offset: number, encoding: 'base64' | 'base64url'): Buffer {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString(encoding);
  return Buffer.from(encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)));
}

/** The random part of a credential is itself base64url of 32 bytes. */
function ofRandomBits(text: string): readonly Disguise[] {
  const [, body] = /^gl[acr]_(?:[\w-]{22})?([\w-]{43})(?:[\w-]{22})?[\w-]{6}$/.exec(text) ?? [];
  if (body === undefined) return [];
  const bits = Buffer.from(body, 'base64url');
  return [
    { as: 'its bits', bytes: bits },
    { as: 'its secret part', bytes: Buffer.from(body) },
    { as: 'the hex of its bits', bytes: Buffer.from(bits.toString('hex')) },
  ];
}
