import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { createRequestLog, type RequestLog } from '../platform/metrics/request-lines.ts';
import { createLineBuffer, type Destination } from './line-buffer.ts';

/** The log output of a server. */
export interface ServerLogs {
  /** Events of the server itself, written immediately. */
  readonly server: Logger;
  /** One line per request, buffered. */
  readonly requests: RequestLog;
  /** Writes the buffered lines. Call this before the process exits. */
  flush(): void;
}

/** Creates logs of JSON lines, or of readable, unbuffered lines if the output is a terminal. */
export function createServerLogs(
  level: string,
  clock: { now(): number },
  options: { readonly isTerminal: boolean; readonly destination?: Destination },
): ServerLogs {
  if (options.isTerminal) return createTerminalLogs(level);
  const { destination = createLineBuffer(pino.destination({ dest: process.stdout.fd, sync: true })) } = options;
  const flush = (): void => destination.flushSync();
  const server = pino(
    {
      level,
      hooks: {
        logMethod(parameters, method) {
          method.apply(this, parameters);
          flush();
        },
      },
    },
    destination,
  );
  return { server, requests: createRequestLog(level, destination, clock), flush };
}

function createTerminalLogs(level: string): ServerLogs {
  const options = { ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true };
  return {
    server: pino({ level }, pretty(options)),
    requests: pino({ level, base: null }, pretty({ ...options, singleLine: true })),
    flush: () => {},
  };
}
