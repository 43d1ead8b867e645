import { join } from 'node:path';
import { checksum } from '../files/checksum.ts';
import { appendDurably, makePrivateDirectory, readIfExists, replaceFile } from '../files/private-files.ts';

/** Secret keys by id. They are kept beside the log and not in it, so that each can be destroyed. */
export interface Keyring<Id extends string> {
  find(id: Id): Buffer | undefined;
  /** The ids that have a key, those included whose event was never written. */
  ids(): readonly Id[];
  /** Adds the key of a new id; durable when it returns. */
  keep(id: Id, key: Buffer): void;
  /**
   * Destroys a key; what was sealed with it stays unreadable from then on. Idempotent.
   * @throws Error the file could not be written. The key is not found any more, but is destroyed only by a repetition
   */
  destroy(id: Id): void;
  /** The numbers, from 1, of the damaged lines of the file. Their ids are not known for certain. */
  damagedLines(): readonly number[];
  /** Removes the damaged lines. One of them may contain a key that had to be destroyed. */
  dropDamagedLines(): void;
}

/** The keyrings of one kind of id. Each directory of keys has one file for it. */
export interface KeyringKind<Id extends string> {
  /** The name of the file. */
  readonly file: string;
  inMemory(): Keyring<Id>;
  /** The keys in `directory`, which is made if it is missing. */
  open(directory: string): Keyring<Id>;
  /** Puts the keys of a backup into `directory`, durable when it returns, for `open` to find. */
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

/** A line of the file; `key` is undefined where the line is damaged. */
interface Line {
  /** The id, percent-encoded: without white space. */
  readonly name: string;
  readonly text: string;
  readonly key: Buffer | undefined;
}

/**
 * The keys in the file at `path`: one line each, `<id> <key, base64url> <checksum>`, appended for a new id and
 * rewritten without a destroyed key. A damaged line stays as it is until its id is destroyed or `dropDamagedLines` is
 * called, so that it can be repaired. Lines without a checksum, as earlier releases wrote them, get one at once.
 */
export function openKeyring<Id extends string>(path: string): Keyring<Id> {
  const stored = readIfExists(path) ?? '';
  let lines = parseLines(stored);
  const keys = new Map(lines.flatMap(({ name, key }) => (key === undefined ? [] : [[name, key] as const])));
  let isWhole = stored === '' || stored.endsWith('\n');
  if (lines.some(({ name, text, key }) => key !== undefined && text !== formatLine(name, key))) write();

  /** Takes `kept` for the lines of the file once they are there: after an error, a repetition writes again. */
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
      if (!isWhole) write(); // behind a line that a crash or a full disk cut short, the two would be read as one
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
      keys.delete(name); // nobody finds it from now on, even if the file cannot be written
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

/** The numbers, from 1, of the damaged lines of the file at `path`. Does not write. */
export function findDamagedLines(path: string): readonly number[] {
  return damagedLineNumbers(parseLines(readIfExists(path) ?? ''));
}

function damagedLineNumbers(lines: readonly Line[]): readonly number[] {
  return lines.flatMap(({ key }, at) => (key === undefined ? [at + 1] : []));
}

/** Writes a keyring that is restored from a backup. Durable when it returns. */
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
 * A last line without a newline is a line like the others. If it was cut short, it is damaged, and stays until no owner
 * needs it: a crash cuts the key of an id that was never used, but a copy or a disk may cut any.
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
