import { expect } from 'chai';
import { reportReplay } from '../../src/composition/replay-report.ts';
import type { Position } from '../../src/event-store/event-log.ts';

describe('The replay report', () => {
  /** Returns the lines for a replay whose batches arrive at the given times in milliseconds. */
  function reportLines(span: readonly [from: number, head: number], batches: readonly (readonly [number, number])[]) {
    let now = 0;
    const lines: string[] = [];
    const [from, head] = span;
    const progress = reportReplay(
      { from: from as Position, head: head as Position },
      { ticks: () => now, report: (line) => lines.push(line) },
    );
    for (const [milliseconds, position] of batches) {
      now = milliseconds;
      progress.onBatch(position as Position);
    }
    progress.onFinished();
    return lines;
  }

  it('is empty for a log without events', () => {
    expect(reportLines([0, 0], [])).to.deep.equal([]);
  });

  it('is one line for a short replay', () => {
    expect(reportLines([0, 1], [[100, 1]])).to.deep.equal(['replaying 1 event']);
  });

  it('states the progress of a long replay every two seconds, counted from the snapshot', () => {
    const batches = [
      [1_000, 260],
      [2_500, 500],
      [3_000, 600],
      [5_000, 2_200],
      [9_000, 3_000],
    ] as const;
    expect(reportLines([200, 3_000], batches)).to.deep.equal([
      'restored the snapshot of the first 200 events',
      'replaying 2,800 events',
      'replayed 10%: 300 of 2,800 events',
      'replayed 71%: 2,000 of 2,800 events',
      'replayed 2,800 events in 9.0 seconds',
    ]);
  });

  it('mentions only the snapshot if it contains all events', () => {
    expect(reportLines([1_500, 1_500], [])).to.deep.equal(['restored the snapshot of the first 1,500 events']);
  });
});
