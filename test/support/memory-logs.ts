import { createServerLogs } from '../../src/cli/server-log.ts';
import { manualClock } from './manual-clock.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** Creates the server's real loggers, with output to memory. */
export function memoryLogs(level = 'trace') {
  let text = '';
  const destination = { write: (line: string) => void (text += line), flushSync: () => {} };
  const logs = createServerLogs(level, manualClock(), { isTerminal: false, destination });
  const lines = (): readonly LogLine[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine);
  return { logs, text: () => text, lines };
}
