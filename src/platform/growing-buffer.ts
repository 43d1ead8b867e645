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
 * Creates an empty buffer. A list of chunks would need about a hundred extra bytes per chunk, and a sender can send one
 * byte at a time.
 * @param maxBytes the maximum size of the content
 */
export function createGrowingBuffer(maxBytes: number): GrowingBuffer {
  let buffer = EMPTY;
  let length = 0;

  function grow(minLength: number): void {
    const largerBuffer = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(minLength, buffer.length * 2, INITIAL_BYTES)));
    buffer.copy(largerBuffer, 0, 0, length);
    buffer = largerBuffer;
  }

  return {
    append(chunk) {
      const newLength = length + chunk.length;
      if (newLength > maxBytes) return false;
      if (newLength > buffer.length) grow(newLength);
      chunk.copy(buffer, length);
      length = newLength;
      return true;
    },
    bytes: () => buffer.subarray(0, length),
    clear() {
      length = 0;
    },
  };
}
