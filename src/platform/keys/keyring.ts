import { join } from 'node:path';
import { checksum } from '../files/checksum.ts';
import { appendDurably, makePrivateDirectory, readIfExists, replaceFile } from '../files/private-files.ts';

/** Secret keys by id. They are stored outside the log, so that each can be destroyed. */
export interface Keyring<Id extends string> {
  find(id: Id): Buffer | undefined;
  /** The ids with a key, including ids whose event was never written. */
  ids(): readonly Id[];
  /** Adds the key of a new id. Durable when it returns. */
  keep(id: Id, key: Buffer): void;
  /**
   * Destroys a key, which makes everything encrypted with it unreadable. Idempotent.
   * @throws Error the file could not be written. `find` no longer returns the key, but only a retry destroys it
   */
  destroy(id: Id): void;
  /** The numbers of the damaged lines of the file, counted from 1. Their ids are uncertain. */
  damagedLines(): readonly number[];
  /** Removes the damaged lines, because one of them can contain a key that must be destroyed. */
  dropDamagedLines(): void;
}

/** A kind of keyring. Each key directory has one file for each kind. */
export interface KeyringKind<Id extends string> {
  /** The name of the file. */
  readonly file: string;
  inMemory(): Keyring<Id>;
  /** Opens the keyring in `directory`, which is created if it is missing. */
  open(directory: string): Keyring<Id>;
  /** Writes the keys of a backup to `directory`. Durable when it returns. */
  restore(directory: string, keys: readonly (readonly [Id, Buffer])[]): void;
}

export function keyringKind<Id extends string>(file: string): KeyringKind<Id> {
  return {
    file,
    inMemory: () => memoryKeyring(),
    open(directory) {
      makePrivateDirectory(directory);
      return openKeyring(join(directory, file));
    },
    restore(directory, keys) {
      makePrivateDirectory(directory);
      writeKeyring(join(directory, file), keys);
    },
  };
}

function memoryKeyring<Id extends string>(): Keyring<Id> {
  const keys = new Map<Id, Buffer>();
  return {
    find: (id) => keys.get(id),
    ids: () => [...keys.keys()],
    keep: (id, key) => void keys.set(id, key),
    destroy: (id) => void keys.delete(id),
    damagedLines: () => [],
    dropDamagedLines: () => {},
  };
}

/** A line of the file; `key` is undefined if the line is damaged. */
interface Line {
  /** The id, percent-encoded: without white space. */
  readonly name: string;
  readonly text: string;
  readonly key: Buffer | undefined;
}

/**
 * Opens the key file at `path`. Each line is `<id> <key, base64url> <checksum>`. New keys are appended, and destroying
 * a key rewrites the file. A damaged line is kept, so that it can be repaired, until its id is destroyed or
 * `dropDamagedLines` is called. Lines of earlier releases without a checksum get one at once.
 */
export function openKeyring<Id extends string>(path: string): Keyring<Id> {
  const stored = readIfExists(path) ?? '';
  let lines = parseLines(stored);
  const keys = new Map(lines.flatMap(({ name, key }) => (key === undefined ? [] : [[name, key] as const])));
  let isWhole = stored === '' || stored.endsWith('\n');
  if (lines.some(({ name, text, key }) => key !== undefined && text !== formatLine(name, key))) write();

  /** Replaces the lines of the file. After an error, the old ones stay current, so that a retry writes again. */
  function write(kept: Line[] = lines): void {
    const texts = kept.map(({ name, text, key }) => (key === undefined ? text : formatLine(name, key)));
    replaceFile(path, texts.map((text) => `${text}\n`).join(''));
    lines = kept;
    isWhole = true;
  }

  return {
    find: (id) => keys.get(encodeId(id)),
    ids: () => [...keys.keys()].map((name) => decodeURIComponent(name) as Id),
    keep(id, key) {
      if (!isWhole) write(); // repairs a truncated last line, which would merge with the new one
      const name = encodeId(id);
      const text = formatLine(name, key);
      isWhole = false;
      appendDurably(path, `${text}\n`);
      isWhole = true;
      lines.push({ name, text, key });
      keys.set(name, key);
    },
    destroy(id) {
      const name = encodeId(id);
      const others = lines.filter((line) => line.name !== name);
      if (others.length === lines.length) return;
      keys.delete(name); // even if the file cannot be written
      const destroyed = lines.filter((line) => line.name === name);
      write(others);
      for (const { key } of destroyed) key?.fill(0);
    },
    damagedLines: () => damagedLineNumbers(lines),
    dropDamagedLines() {
      write(lines.filter(({ key }) => key !== undefined));
    },
  };
}

/** The numbers of the damaged lines of the file at `path`, counted from 1. Does not write. */
export function findDamagedLines(path: string): readonly number[] {
  return damagedLineNumbers(parseLines(readIfExists(path) ?? ''));
}

function damagedLineNumbers(lines: readonly Line[]): readonly number[] {
  return lines.flatMap(({ key }, at) => (key === undefined ? [at + 1] : []));
}

/** Writes the keyring of a backup. Durable when it returns. */
export function writeKeyring<Id extends string>(path: string, keys: Iterable<readonly [Id, Buffer]>): void {
  replaceFile(path, [...keys].map(([id, key]) => `${formatLine(encodeId(id), key)}\n`).join(''));
}

const encodeId = (id: string): string => encodeURIComponent(id);

function isName(name: string): boolean {
  try {
    return name !== '' && encodeId(decodeURIComponent(name)) === name;
  } catch {
    return false;
  }
}

function formatLine(name: string, key: Buffer): string {
  const body = `${name} ${key.toString('base64url')}`;
  return `${body} ${checksum(body)}`;
}

/**
 * A last line without a newline is treated like the others. If it is truncated, it counts as damaged and is kept: after
 * a crash its id was never used, but an incomplete copy can truncate any line.
 */
function parseLines(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine);
}

const LINE = /^(\S+) ([\w-]{43})(?: [0-9a-f]{8})?$/;

function parseLine(text: string): Line {
  const [, name = '', encoded = ''] = LINE.exec(text) ?? [];
  const key = Buffer.from(encoded, 'base64url');
  const isSound = isName(name) && (text === `${name} ${encoded}` || text === formatLine(name, key));
  return { name: text.split(' ', 1)[0] ?? '', text, key: isSound ? key : undefined };
}
