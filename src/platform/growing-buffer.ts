/** Collects bytes in one buffer, which doubles in size when it is full. */
export interface GrowingBuffer {
  /** Returns false and stores nothing if `chunk` does not fit. */
  append(chunk: Buffer): boolean;
  /** Returns the content so far. The next `append` or `clear` may overwrite it. */
  bytes(): Buffer;
  clear(): void;
}

const EMPTY: Buffer = Buffer.alloc(0);

const INITIAL_BYTES = 1_024;

/**
 * Creates an empty buffer. A list of chunks would cost about a hundred bytes per chunk, and a sender can send one byte
 * at a time.
 * @param maxBytes the size that `append` does not exceed
 */
export function createGrowingBuffer(maxBytes: number): GrowingBuffer {
  let buffer = EMPTY;
  let length = 0;

  function grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, buffer.length * 2, INITIAL_BYTES)));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  }

  return {
    append(chunk) {
      const needed = length + chunk.length;
      if (needed > maxBytes) return false;
      if (needed > buffer.length) grow(needed);
      chunk.copy(buffer, length);
      length = needed;
      return true;
    },
    bytes: () => buffer.subarray(0, length),
    clear() {
      length = 0;
    },
  };
}
