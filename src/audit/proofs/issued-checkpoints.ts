import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  makePrivateDirectory,
  moveDurably,
  overwriteDurably,
  readIfExists,
  syncDirectory,
} from '../../platform/files/private-files.ts';
import type { TreeHead } from '../merkle/verification.ts';
import { openOwnCheckpoint } from './own-checkpoint.ts';

/** A stored entry: the signed head, or the reason why the entry cannot be read. */
export type IssuedEntry = { readonly head: TreeHead } | { readonly problem: string };

/**
 * The tree heads of all issued checkpoints. Each is durable before its checkpoint leaves the process, so this server
 * never signs two different histories of the same size. Signatures are not stored: they can be computed again from the
 * head and the key.
 */
export interface IssuedCheckpoints {
  /**
   * Returns the largest head, or undefined if no checkpoint has been issued.
   * @throws Error if the entry of the largest head is damaged
   */
  newest(): TreeHead | undefined;
  count(): number;
  /** Yields the entries that exist when iteration starts, in ascending order of size. Reads the file in parts. */
  entries(): Generator<IssuedEntry, void, void>;
  /**
   * Stores a head that is larger than the newest one. The head is durable when the promise resolves. Calls must not
   * overlap.
   */
  add(head: TreeHead): Promise<void>;
  /** Present if other nodes also issue checkpoints. */
  readonly shared?: SharedIssuance;
}

/**
 * The additional operations for checkpoints that several nodes issue. `add` then stores nothing if another node has
 * already stored a checkpoint of the same or a larger size.
 */
export interface SharedIssuance {
  /** Returns whether this node issues the regular checkpoints. */
  isLeader(): boolean;
  /** Starts to compete for leadership and to pass received checkpoints to `onIssued`, in ascending order of size. */
  start(onIssued: (head: TreeHead) => void): void;
  /** Resolves when all checkpoints issued before the call have been received. Concurrent calls share a query. */
  refresh(): Promise<void>;
}

export function memoryCheckpoints(): IssuedCheckpoints {
  const heads: TreeHead[] = [];
  return {
    newest: () => heads.at(-1),
    count: () => heads.length,
    *entries() {
      for (const head of heads.slice()) yield { head };
    },
    add: async (head) => void heads.push(head),
  };
}

/** Beside this file, earlier releases stored each checkpoint as a signed note. The name of a note is its size. */
const ISSUED_FILE = 'issued';

/**
 * A line is `<size, 16 digits> <root, base64> <MAC, base64url>`. All lines have the same length, so the
 * newest line can be read without the earlier ones, and a line that a crash cut short is overwritten. One checkpoint
 * per minute amounts to 45 MB a year.
 */
const LINE = /^(\d{16}) ([A-Za-z0-9+/]{43}=) ([\w-]{22})\n$/;
const SIZE_DIGITS = 16;
const MAC_BYTES = 16;
const LINE_BYTES = 85;
const LINES_PER_READ = 1_000;

/** The keys that authenticate the entries. */
export interface CheckpointKeys {
  /** The key for MACs. */
  readonly attestation: KeyObject;
  /** The key that signs checkpoints. It also verifies the notes that earlier releases stored. */
  readonly log: KeyObject;
}

export interface FileCheckpoints extends IssuedCheckpoints {
  /** Like `add`, but for several heads in ascending order of size. */
  addAll(heads: readonly TreeHead[]): Promise<void>;
}

export function fileCheckpoints(directory: string, keys: CheckpointKeys): FileCheckpoints {
  makePrivateDirectory(directory);
  const path = join(directory, ISSUED_FILE);
  const noteSizes = listNotes(directory)
    .map(Number)
    .toSorted((left, right) => left - right);
  let lineCount = Math.floor((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / LINE_BYTES);

  function readNote(size: number): IssuedEntry {
    try {
      const head = openOwnCheckpoint(readIfExists(join(directory, String(size))) ?? '', keys.log);
      return head.size === size ? { head } : { problem: `checkpoint ${size} covers ${head.size} records` };
    } catch (error) {
      return { problem: `checkpoint ${size}: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  function* readLines(start: number): Generator<IssuedEntry, void, void> {
    const end = lineCount;
    for (let firstLine = start; firstLine < end; firstLine += LINES_PER_READ) {
      const text = readText(path, firstLine * LINE_BYTES, Math.min(LINES_PER_READ, end - firstLine) * LINE_BYTES);
      for (let offset = 0; offset < text.length; offset += LINE_BYTES) {
        const head = parseLine(text.slice(offset, offset + LINE_BYTES), keys.attestation);
        const lineNumber = firstLine + offset / LINE_BYTES + 1;
        yield head === undefined ? { problem: `line ${lineNumber} of ${path} is damaged` } : { head };
      }
    }
  }

  async function addAll(heads: readonly TreeHead[]): Promise<void> {
    if (heads.length === 0) return;
    const isNewFile = lineCount === 0;
    const text = heads.map((head) => formatLine(head, keys.attestation)).join('');
    const file = await open(path, isNewFile ? 'w' : 'r+', 0o600);
    try {
      await overwriteDurably(file, text, lineCount * LINE_BYTES);
    } finally {
      await file.close();
    }
    if (isNewFile) syncDirectory(directory);
    lineCount += heads.length;
  }

  return {
    newest() {
      const [entry] = readLines(Math.max(0, lineCount - 1));
      const head = entry === undefined ? undefined : requireHead(entry);
      const size = noteSizes.at(-1) ?? 0;
      return size > (head?.size ?? 0) ? requireHead(readNote(size)) : head;
    },
    count: () => noteSizes.length + lineCount,
    *entries() {
      let nextNote = 0;
      for (const entry of readLines(0)) {
        const size = 'head' in entry ? entry.head.size : 0;
        for (; (noteSizes[nextNote] ?? Infinity) < size; nextNote += 1) yield readNote(noteSizes[nextNote] ?? 0);
        yield entry;
      }
      for (const size of noteSizes.slice(nextNote)) yield readNote(size);
    },
    add: (head) => addAll([head]),
    addAll,
  };
}

/** Returns the unauthenticated size of the newest checkpoint in `directory`, or 0 if it contains no checkpoint. */
export function readNewestSize(directory: string): number {
  const path = join(directory, ISSUED_FILE);
  const lineCount = Math.floor((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / LINE_BYTES);
  const size = lineCount === 0 ? 0 : Number.parseInt(readText(path, (lineCount - 1) * LINE_BYTES, SIZE_DIGITS), 10);
  return Math.max(size || 0, ...listNotes(directory).map(Number));
}

/** Writes a new checkpoint file. The checkpoints must be added in ascending order of size. */
export interface CheckpointsWriter {
  add(head: TreeHead, key: KeyObject): void;
  /** Replaces the file. The new file is durable when the method returns. */
  finish(): void;
}

/** Creates a writer that replaces the checkpoint file, for restoring a backup or repairing the file. */
export function createCheckpointsWriter(directory: string): CheckpointsWriter {
  makePrivateDirectory(directory);
  const path = join(directory, ISSUED_FILE);
  const temporaryPath = `${path}.new`;
  const file = openSync(temporaryPath, 'w', 0o600);
  return {
    add: (head, key) => writeFileSync(file, formatLine(head, key), 'latin1'), // unlike writeSync, writes everything
    finish() {
      fsyncSync(file);
      closeSync(file);
      moveDurably(temporaryPath, path);
    },
  };
}

/** Returns the file names of the notes that earlier releases stored in `directory`. */
export function listNotes(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => /^[1-9]\d*$/.test(name)) : [];
}

function requireHead(entry: IssuedEntry): TreeHead {
  if ('problem' in entry) throw new Error(entry.problem);
  return entry.head;
}

function readText(path: string, offset: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  const file = openSync(path, 'r');
  try {
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, bytes, offset));
  } finally {
    closeSync(file);
  }
}

function formatLine(head: TreeHead, key: KeyObject): string {
  return `${formatBody(head)} ${checkpointMac(head, key)}\n`;
}

function formatBody({ size, rootHash }: TreeHead): string {
  return `${String(size).padStart(SIZE_DIGITS, '0')} ${Buffer.from(rootHash).toString('base64')}`;
}

/** Returns the MAC that authenticates a stored head. */
export function checkpointMac(head: TreeHead, key: KeyObject): string {
  return computeMac(formatBody(head), key);
}

function parseLine(line: string, key: KeyObject): TreeHead | undefined {
  const [, size = '', root = '', mac = ''] = LINE.exec(line) ?? [];
  if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(computeMac(`${size} ${root}`, key))))
    return undefined;
  return { size: Number(size), rootHash: Buffer.from(root, 'base64') };
}

function computeMac(body: string, key: KeyObject): string {
  const mac = createHmac('sha256', key).update(`grantlog checkpoint ${body}`).digest();
  return mac.subarray(0, MAC_BYTES).toString('base64url');
}
