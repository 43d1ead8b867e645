import { once } from 'node:events';
import { askSecrets } from './ask-secrets.ts';
import type { Terminal } from './terminal.ts';
import { decodeUtf8 } from './decode-utf8.ts';

interface Process {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** One stop may arrive twice: npm hands on the signal that its whole process group was sent. */
const DUPLICATE_SIGNAL_MILLISECONDS = 1_000;

/** The terminal of a process: told to stop by the first signal (a later one kills), or when its reader has left. */
export function processTerminal(from: Process): Terminal {
  const { stdin, stdout, stderr } = from;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const heed = (): void => {
      stop.abort(signal);
      setTimeout(() => from.off(signal, heed), DUPLICATE_SIGNAL_MILLISECONDS).unref();
    };
    from.on(signal, heed);
  }
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    stop.abort('nobody reads on');
  });

  return {
    signal: stop.signal,
    err: (text) => void stderr.write(text),
    async out(text) {
      if (stop.signal.aborted || stdout.write(text)) return;
      await once(stdout, 'drain', { signal: stop.signal }).catch(() => {});
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return decodeUtf8(Buffer.concat(chunks), 'standard input');
    },
    askSecrets: stdin.isTTY
      ? (questions) => askSecrets(stdin, (text) => void stderr.write(text), questions)
      : undefined,
  };
}
