import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { requestLines, type RequestLog } from '../platform/metrics/request-lines.ts';
import { createLineBuffer, type Destination } from './line-buffer.ts';

/** What a server writes about itself. */
export interface ServerLogs {
  /** What happens to it: written at once. */
  readonly server: Logger;
  /** A line for each request, written with others. */
  readonly requests: RequestLog;
  /** Writes what is still held back; to be called before the process ends. */
  flush(): void;
}

/** JSON for programs, and for a person who watches a terminal lines that can be read, each at once. */
export function createServerLogs(
  level: string,
  clock: { now(): number },
  how: { readonly isWatched: boolean; readonly destination?: Destination },
): ServerLogs {
  if (how.isWatched) return createTerminalLogs(level);
  const { destination = createLineBuffer(pino.destination({ dest: process.stdout.fd, sync: true })) } = how;
  const flush = (): void => destination.flushSync();
  const server = pino(
    {
      level,
      hooks: {
        logMethod(words, method) {
          method.apply(this, words);
          flush();
        },
      },
    },
    destination,
  );
  return { server, requests: requestLines(level, destination, clock), flush };
}

function createTerminalLogs(level: string): ServerLogs {
  const how = { ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true };
  return {
    server: pino({ level }, pretty(how)),
    requests: pino({ level, base: null }, pretty({ ...how, singleLine: true })),
    flush: () => {},
  };
}
