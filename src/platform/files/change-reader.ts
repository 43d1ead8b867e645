import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Changes to a file that other processes append lines to and sometimes replace. */
export interface Changes {
  /** Whether `text` is the whole file. Otherwise, it starts after the last complete line of the previous text. */
  readonly isWholeFile: boolean;
  /** Latin1: one character per byte. The last line may be incomplete, in which case the next read repeats it. */
  readonly text: string;
}

interface Version {
  readonly device: bigint;
  readonly inode: bigint;
  readonly changedAt: bigint;
  readonly size: number;
  /** The last bytes, because a replacement may have the same inode number, size and (coarse) timestamp. */
  readonly tail: Buffer;
}

/** Long enough to contain part of the random key in the last line of a key file. */
const TAIL_BYTES = 128;

/**
 * Returns a function that reads the changes to the file at `path` since the previous call, or returns undefined if the
 * file has not changed or does not exist. Opening the file each time makes an NFS client revalidate its cache.
 */
export function createChangeReader(path: string): () => Changes | undefined {
  let previous: Version | undefined;
  let consumedBytes = 0;

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
    const start = isSameFile && previous?.size !== size ? consumedBytes : 0;
    const bytes = readBytes(file, start, size);
    const end = start + bytes.length;
    previous = { device, inode, changedAt, size: end, tail: readBytes(file, Math.max(0, end - TAIL_BYTES), end) };
    consumedBytes = start + bytes.lastIndexOf(NEWLINE) + 1;
    return { isWholeFile: start === 0, text: bytes.toString('latin1') };
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

/** Reads the bytes from `start` to `end`, or fewer if the file is shorter. */
export function readBytes(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  let length = 0;
  while (length < bytes.length) {
    const bytesRead = readSync(file, bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
