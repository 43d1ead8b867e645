/** Collects pieces of bytes in one buffer, which doubles as it fills. It has at most twice the size of its content. */
export interface GrowingBuffer {
  /** Returns false and stores nothing if `piece` does not fit. */
  append(piece: Buffer): boolean;
  /** The content so far. The next `append` or `clear` may overwrite it. */
  bytes(): Buffer;
  clear(): void;
}

const EMPTY: Buffer = Buffer.alloc(0);

/** Bytes. */
const INITIAL_SIZE = 1_024;

/**
 * A list of pieces would cost about a hundred bytes for each, and the sender can send pieces of one byte.
 * @param mostBytes the size at which `append` refuses more
 */
export function createGrowingBuffer(mostBytes: number): GrowingBuffer {
  let buffer = EMPTY;
  let length = 0;

  function grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.min(mostBytes, Math.max(needed, buffer.length * 2, INITIAL_SIZE)));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  }

  return {
    append(piece) {
      const needed = length + piece.length;
      if (needed > mostBytes) return false;
      if (needed > buffer.length) grow(needed);
      piece.copy(buffer, length);
      length = needed;
      return true;
    },
    bytes: () => buffer.subarray(0, length),
    clear() {
      length = 0;
    },
  };
}
