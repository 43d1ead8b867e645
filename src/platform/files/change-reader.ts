import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Changes to a file that other processes append lines to and sometimes replace. */
export interface Changes {
  /** Whether `text` is the whole file. Otherwise it follows the last complete line of the previous text. */
  readonly isWhole: boolean;
  /** Latin1: one character per byte. The last line can be incomplete; the next read then repeats it. */
  readonly text: string;
}

interface Version {
  readonly device: bigint;
  readonly inode: bigint;
  readonly changedAt: bigint;
  readonly size: number;
  /** The last bytes. A replacement can have the inode number and size of the old file, and timestamps are coarse. */
  readonly tail: Buffer;
}

/** Long enough to contain a part of a key, which differs in each file. */
const TAIL_BYTES = 128;

/**
 * Returns a function that reads the changes to the file at `path` since its last call. It returns undefined if there
 * are none, or if the file does not exist. It opens the file each time, because that makes an NFS client revalidate its
 * cache.
 */
export function createChangeReader(path: string): () => Changes | undefined {
  let previous: Version | undefined;
  let consumed = 0;

  function read(file: number): Changes | undefined {
    const state = fstatSync(file, { bigint: true });
    const size = Number(state.size);
    const { dev: device, ino: inode, mtimeNs: changedAt } = state;
    const isSameFile =
      previous !== undefined &&
      previous.device === device &&
      previous.inode === inode &&
      previous.size <= size &&
      readBytes(file, previous.size - previous.tail.length, previous.size).equals(previous.tail);
    if (isSameFile && previous?.size === size && previous.changedAt === changedAt) return undefined;
    const from = isSameFile && previous?.size !== size ? consumed : 0;
    const bytes = readBytes(file, from, size);
    const end = from + bytes.length;
    previous = { device, inode, changedAt, size: end, tail: readBytes(file, Math.max(0, end - TAIL_BYTES), end) };
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

/** Opens a file for reading. Returns undefined if the file does not exist. */
export function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads the bytes from `from` to `to`, or fewer if the file is shorter. */
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
