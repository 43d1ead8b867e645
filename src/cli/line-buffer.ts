/** A destination for lines. */
export interface Destination {
  write(line: string): void;
  /** Writes the buffered lines. */
  flushSync(): void;
}

/**
 * Enough for about twenty lines per system call. A line then takes 2.5 µs, compared with 3.7 µs (to a file) or 6.6 µs
 * (to a pipe) without a buffer. Writing in another thread would not be cheaper, and would compete with the event log's
 * writes for the same thread pool.
 */
const BUFFER_CHARACTERS = 4096;
const MAX_DELAY_MILLISECONDS = 250;

/**
 * Buffers lines for `destination` for at most a quarter of a second. Replaces the buffer in pino's destination, which
 * takes 0.9 µs per line instead of 0.3 µs, because it measures its entire content for every line.
 */
export function createLineBuffer(destination: Destination): Destination {
  let buffer = '';
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const lines = buffer;
    buffer = '';
    if (lines !== '') destination.write(lines);
  }

  return {
    write(line) {
      buffer += line;
      if (buffer.length >= BUFFER_CHARACTERS) flush();
      else timer ??= setTimeout(flush, MAX_DELAY_MILLISECONDS).unref();
    },
    flushSync() {
      flush();
      destination.flushSync();
    },
  };
}
