import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { overwriteDurably, replaceFile } from '../../platform/files/private-files.ts';
import type { TreeHead } from '../merkle/verification.ts';

/** The head of the log, as recorded beside the log. */
export interface RecordedHead extends TreeHead {
  /** The size of the newest checkpoint, or 0 if none has been issued. */
  readonly checkpoint: number;
}

/** The result of reading the recorded head. */
export interface StoredHead {
  /** The head in the newest undamaged copy; undefined if every copy is damaged. */
  readonly head: RecordedHead | undefined;
  /** The number of damaged copies. */
  readonly damagedCopies: number;
}

export interface HeadStore {
  /** The name of the store in messages. */
  readonly name: string;
  /** Reads the recorded head. Returns undefined if no head has been recorded. */
  read(): StoredHead | undefined;
  /** Records a head, which is durable when the promise resolves. Calls must not overlap. */
  write(head: RecordedHead): Promise<void>;
}

export function memoryHeadStore(): HeadStore {
  let recordedHead: RecordedHead | undefined;
  return {
    name: 'the head in memory',
    read: () => recordedHead && { head: recordedHead, damagedCopies: 0 },
    write: async (head) => void (recordedHead = head),
  };
}

export const HEAD_FILE = 'log.head';

/** The file contains two copies in separate sectors, so an interrupted write leaves one of them intact. */
const COPIES = 2;
const COPY_BYTES = 512;
const FORMAT = 'grantlog-head-1';

interface Copy {
  readonly head: RecordedHead;
  /** The number of the write. The copy with the higher number is newer. */
  readonly sequence: number;
}

/**
 * Stores the head in the file at `path`. Each write overwrites the older copy in place and syncs only the data:
 * replacing the file would commit the file system's journal, and appends would wait for that.
 * @param key authenticates the head, so only this server can write a valid one
 */
export function fileHeadStore(path: string, key: KeyObject): HeadStore {
  let newestSequence: number | undefined;

  return {
    name: path,
    read() {
      const copies = readCopies(path, key);
      newestSequence = copies?.at(-1)?.sequence;
      return copies && { head: copies.at(-1)?.head, damagedCopies: COPIES - copies.length };
    },
    async write(head) {
      const sequence = (newestSequence ?? 0) + 1;
      const text = formatCopy({ head, sequence }, key);
      if (newestSequence === undefined || !existsSync(path)) replaceFile(path, text.repeat(COPIES));
      else await overwrite(path, text, (sequence % COPIES) * COPY_BYTES);
      newestSequence = sequence;
    },
  };
}

/**
 * Returns the size of the newest checkpoint according to the unauthenticated head at `path`, or 0 if there is no head.
 */
export function readRecordedCheckpoint(path: string): number {
  const text = existsSync(path) ? readFileSync(path, 'latin1') : '';
  return Math.max(0, ...Array.from(text.matchAll(/"checkpoint":(\d+)/g), ([, size]) => Number(size)));
}

async function overwrite(path: string, text: string, offset: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await overwriteDurably(file, text, offset);
  } finally {
    await file.close();
  }
}

/**
 * Returns the undamaged copies, newest last, or undefined if the file does not exist. Reads the file once more if a
 * copy is damaged, because a write may have been in progress.
 */
function readCopies(path: string, key: KeyObject, mayRetry = true): readonly Copy[] | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  const slices = Array.from({ length: COPIES }, (_, index) =>
    bytes.subarray(index * COPY_BYTES, (index + 1) * COPY_BYTES),
  );
  const copies = slices.map((slice) => parseCopy(slice, key)).filter((copy) => copy !== undefined);
  if (copies.length < COPIES && mayRetry) return readCopies(path, key, false);
  return copies.toSorted((left, right) => left.sequence - right.sequence);
}

function formatCopy({ head: { size, rootHash, checkpoint }, sequence }: Copy, key: KeyObject): string {
  const root = Buffer.from(rootHash).toString('base64');
  const body = { format: FORMAT, sequence, position: size, root, checkpoint };
  const line = JSON.stringify({ ...body, code: computeMac(JSON.stringify(body), key) });
  return `${line.padEnd(COPY_BYTES - 1)}\n`;
}

/** Parses a copy. Returns undefined unless `formatCopy` would write exactly these bytes with this key. */
function parseCopy(bytes: Buffer, key: KeyObject): Copy | undefined {
  const text = bytes.toString('latin1');
  try {
    const { sequence, position, root, checkpoint } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const rootHash = Buffer.from(String(root), 'base64');
    const head = { size: Number(position), rootHash, checkpoint: Number(checkpoint) };
    const copy = { head, sequence: Number(sequence) };
    const expectedBytes = Buffer.from(formatCopy(copy, key), 'latin1');
    return bytes.length === COPY_BYTES && timingSafeEqual(bytes, expectedBytes) ? copy : undefined;
  } catch {
    return undefined;
  }
}

function computeMac(body: string, key: KeyObject): string {
  return createHmac('sha256', key).update(`grantlog head ${body}`).digest('base64url');
}
