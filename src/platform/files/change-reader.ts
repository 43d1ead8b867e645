import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The changes of a file to which other processes append lines, and which they sometimes replace. */
export interface Changes {
  /** Whether `text` is the whole file. Otherwise it follows the last complete line of the previous text. */
  readonly isWhole: boolean;
  /** Latin1: one character per byte. Its last line can be incomplete, and is then repeated next time. */
  readonly text: string;
}

interface Version {
  readonly device: bigint;
  readonly inode: bigint;
  readonly changedAt: bigint;
  readonly size: number;
  /** The last bytes. A new file can have the number and the size of the old one, and times have a coarse grain. */
  readonly tail: Buffer;
}

/** At least one line of a key file. */
const TAIL_BYTES = 128;

/**
 * Returns a function that reads what changed in the file at `path` since its last call; undefined if nothing did, or
 * the file does not exist. It opens the file each time, so that NFS asks the server for its state.
 */
export function createChangeReader(path: string): () => Changes | undefined {
  let seen: Version | undefined;
  let consumed = 0;

  function read(file: number): Changes | undefined {
    const state = fstatSync(file, { bigint: true });
    const size = Number(state.size);
    const { dev: device, ino: inode, mtimeNs: changedAt } = state;
    const isContinued =
      seen !== undefined &&
      seen.device === device &&
      seen.inode === inode &&
      seen.size <= size &&
      readBytes(file, seen.size - seen.tail.length, seen.size).equals(seen.tail);
    if (isContinued && seen?.size === size && seen.changedAt === changedAt) return undefined;
    const from = isContinued && seen?.size !== size ? consumed : 0;
    const bytes = readBytes(file, from, size);
    const end = from + bytes.length;
    seen = { device, inode, changedAt, size: end, tail: readBytes(file, Math.max(0, end - TAIL_BYTES), end) };
    consumed = from + bytes.lastIndexOf(NEWLINE) + 1;
    return { isWhole: from === 0, text: bytes.toString('latin1') };
  }

  return () => {
    const file = openIfExists(path);
    if (file === undefined) return undefined;
    try {
      return read(file);
    } finally {
      closeSync(file);
    }
  };
}

const NEWLINE = 0x0a;

/** A descriptor for reading; undefined if the file does not exist. */
export function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The bytes from `from` to `to`, or fewer if the file ends before. */
export function readBytes(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, from + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}
