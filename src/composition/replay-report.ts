import type { Position } from '../event-store/event-log.ts';
import type { Ticks } from '../platform/ports.ts';

/** The time between two progress lines of a long replay. */
const LINE_INTERVAL_MILLISECONDS = 2_000;

export interface ReplayReport {
  /** Call this after each batch. */
  onBatch(position: Position): void;
  /** Call this once the projections are up to date. */
  onFinished(): void;
}

/**
 * Reports to the operator how many events are replayed at startup, and then the progress every two seconds. Reports
 * nothing for a log without events.
 * @param from the position of the snapshot, or START
 */
export function reportReplay(
  { from, head }: { readonly from: Position; readonly head: Position },
  { ticks, report }: { readonly ticks: Ticks; readonly report: (line: string) => void },
): ReplayReport {
  const events = head - from;
  const startedAt = ticks();
  let lastLineAt = startedAt;
  if (from > 0) report(`restored the snapshot of the first ${formatCount(from)}`);
  if (events > 0) report(`replaying ${formatCount(events)}`);
  return {
    onBatch(position) {
      if (position >= head || ticks() - lastLineAt < LINE_INTERVAL_MILLISECONDS) return;
      lastLineAt = ticks();
      const percent = Math.floor(((position - from) / events) * 100);
      report(`replayed ${percent}%: ${formatNumber(position - from)} of ${formatCount(events)}`);
    },
    onFinished() {
      const milliseconds = ticks() - startedAt;
      if (milliseconds < LINE_INTERVAL_MILLISECONDS) return;
      report(`replayed ${formatCount(events)} in ${(milliseconds / 1000).toFixed(1)} seconds`);
    },
  };
}

const formatNumber = (value: number): string => value.toLocaleString('en');
const formatCount = (events: number): string => `${formatNumber(events)} ${events === 1 ? 'event' : 'events'}`;
