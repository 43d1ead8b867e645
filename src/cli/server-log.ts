import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** A line for each thing that happens: JSON for programs, and for a person who watches one that can be read. */
export function createServerLog(level: string, { isWatched }: { readonly isWatched: boolean }): Logger {
  return isWatched ? pino({ level }, pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss' })) : pino({ level });
}
