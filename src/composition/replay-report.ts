import type { Position } from '../event-store/event-log.ts';
import type { Ticks } from '../platform/ports.ts';

/** The time between two lines about the progress of a long replay. */
const LINE_INTERVAL_MILLISECONDS = 2_000;

export interface ReplayReport {
  /** Call this after each batch. */
  reached(position: Position): void;
  /** Call this once the projections are up to date. */
  finished(): void;
}

/**
 * Tells the operator how many events are replayed at startup and, every two seconds, the progress. Reports nothing for
 * a log without events.
 * @param from the position of the snapshot, or START
 */
export function reportReplay(
  { from, head }: { readonly from: Position; readonly head: Position },
  { ticks, report }: { readonly ticks: Ticks; readonly report: (line: string) => void },
): ReplayReport {
  const events = head - from;
  const startedAt = ticks();
  let lineAt = startedAt;
  if (from > 0) report(`restored the snapshot of the first ${count(from)}`);
  if (events > 0) report(`replaying ${count(events)}`);
  return {
    reached(position) {
      if (position >= head || ticks() - lineAt < LINE_INTERVAL_MILLISECONDS) return;
      lineAt = ticks();
      const percent = Math.floor(((position - from) / events) * 100);
      report(`replayed ${percent} %: ${number(position - from)} of ${count(events)}`);
    },
    finished() {
      const milliseconds = ticks() - startedAt;
      if (milliseconds < LINE_INTERVAL_MILLISECONDS) return;
      report(`replayed ${count(events)} in ${(milliseconds / 1000).toFixed(1)} seconds`);
    },
  };
}

const number = (value: number): string => value.toLocaleString('en');
const count = (events: number): string => `${number(events)} ${events === 1 ? 'event' : 'events'}`;
