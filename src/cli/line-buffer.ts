/** A destination for lines. */
export interface Destination {
  write(line: string): void;
  /** Writes the buffered lines. */
  flushSync(): void;
}

/**
 * About twenty lines per system call: 2.5 µs per line, compared with 3.7 µs (file) or 6.6 µs (pipe) unbuffered.
 * Writing from another thread would not be cheaper, and would queue with the event log's writes in the same pool.
 */
const BUFFER_CHARACTERS = 4096;
const MAX_DELAY_MILLISECONDS = 250;

/**
 * Buffers lines for `destination` for at most a quarter of a second. Replaces the buffer of pino's own destination,
 * which measures its whole content for every line: 0.9 µs per line instead of 0.3 µs.
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
