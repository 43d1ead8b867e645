import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { askSecrets } from './ask-secrets.ts';
import { wrapMessage } from './print.ts';
import type { Terminal } from './terminal.ts';
import { decodeUtf8 } from './decode-utf8.ts';

interface Process {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/** The same signal may arrive twice: npm forwards signals that the whole process group has received. */
const DUPLICATE_SIGNAL_MILLISECONDS = 1_000;

/** In characters. Wider tables are hard to read, and narrower tables have no space for values. */
const MAX_TABLE_WIDTH = 100;
const MIN_TABLE_WIDTH = 60;

/**
 * Creates the terminal of a process. Its `signal` aborts on SIGINT or SIGTERM, or if standard output is closed. The
 * same signal kills the process if it arrives again more than a second later.
 */
export function processTerminal(hostProcess: Process): Terminal {
  const { stdin, stdout, stderr } = hostProcess;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const onSignal = (): void => {
      stop.abort(signal);
      setTimeout(() => hostProcess.off(signal, onSignal), DUPLICATE_SIGNAL_MILLISECONDS).unref();
    };
    hostProcess.on(signal, onSignal);
  }
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    stop.abort('standard output was closed');
  });

  // The terminal itself would break long lines within words.
  const fit = (text: string): string =>
    stderr.isTTY && stderr.columns > 0 ? wrapMessage(text, Math.min(MAX_TABLE_WIDTH, stderr.columns)) : text;

  return {
    signal: stop.signal,
    // Tools that read lines, such as grep, need each row on one line.
    tableWidth: stdout.isTTY ? Math.min(MAX_TABLE_WIDTH, Math.max(MIN_TABLE_WIDTH, stdout.columns)) : undefined,
    err: (text) => void stderr.write(fit(text)),
    async out(text) {
      if (stop.signal.aborted || stdout.write(text)) return;
      await once(stdout, 'drain', { signal: stop.signal }).catch(() => {});
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return decodeUtf8(Buffer.concat(chunks), 'standard input');
    },
    ask: stdin.isTTY
      ? async (question) => {
          // Standard output may be piped to a program.
          const prompt = createInterface({ input: stdin, output: stderr });
          try {
            // If the input is closed, the answer is empty and confirms nothing.
            return await Promise.race([prompt.question(fit(question)), once(prompt, 'close').then(() => '')]);
          } catch (error) {
            if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
            stderr.write('\n'); // Ctrl-C and Ctrl-D leave the cursor after the question
            return '';
          } finally {
            prompt.close();
          }
        }
      : undefined,
    askSecrets: stdin.isTTY
      ? (questions) => askSecrets(stdin, (text) => void stderr.write(text), questions)
      : undefined,
  };
}
