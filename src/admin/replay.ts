import { START, type EventLog, type Position, type RecordedEvent } from '../eventsourcing/event-log.ts';
import { replay } from '../eventsourcing/projector.ts';
import type { Administration } from './administration.ts';

export interface ReplayProgress {
  readonly replayed: Position;
  readonly head: Position;
}

export interface ReplayResult {
  /** The position at which the two were compared. */
  readonly position: Position;
  readonly same: boolean;
  readonly projections: readonly { readonly name: string; readonly rebuilt: string; readonly running: string; readonly same: boolean }[];
}

type Digests = Readonly<Record<string, string>>;

/** A quarter of a million events: about one line a second. */
const EVENTS_A_REPORT = 250_000;

/**
 * Rebuilds every projection from nothing and compares it, at one and the same position, with what
 * the running server holds. Yields progress, and at the end the result.
 */
export async function* replayAndCompare(
  { log, digests, emptyProjections }: Pick<Administration, 'log' | 'digests' | 'emptyProjections'>,
  signal: AbortSignal,
): AsyncGenerator<ReplayProgress | ReplayResult, void, void> {
  let running: Digests = digests();
  let reached: Position = START;
  // Taken in the very turn in which the replay stands at the head; whoever appends later makes it take another one.
  const rebuilding = replay({ readAll: () => upToNow(log, signal) }, emptyProjections(), (position) => {
    reached = position;
    if (position === log.head()) running = digests();
  });
  yield* reports(rebuilding, () => ({ replayed: reached, head: log.head() }));
  const rebuilt = await rebuilding;
  if (!signal.aborted) yield compare(rebuilt.position(), rebuilt.digests(), running);
}

/** Everything stored, and what came meanwhile, until nothing came meanwhile. */
async function* upToNow(log: Pick<EventLog, 'readAll' | 'head'>, signal: AbortSignal): AsyncGenerator<readonly RecordedEvent[]> {
  let reached: Position = START;
  while (reached !== log.head()) {
    for await (const events of log.readAll(reached)) {
      if (signal.aborted) return;
      yield events;
      reached = events.at(-1)?.position ?? reached;
    }
  }
}

async function* reports(rebuilding: Promise<unknown>, progress: () => ReplayProgress): AsyncGenerator<ReplayProgress, void, void> {
  const over = rebuilding.then(() => true);
  let reported: number = START;
  while (!(await Promise.race([over, nextTurn()]))) {
    const now = progress();
    if (now.replayed - reported < EVENTS_A_REPORT) continue;
    reported = now.replayed;
    yield now;
  }
}

function nextTurn(): Promise<false> {
  return new Promise((resolve) => {
    setImmediate(resolve, false);
  });
}

function compare(position: Position, rebuilt: Digests, running: Digests): ReplayResult {
  const names = [...new Set([...Object.keys(rebuilt), ...Object.keys(running)])];
  const projections = names.map((name) => {
    const [one, other] = [rebuilt[name] ?? '', running[name] ?? ''];
    return { name, rebuilt: one, running: other, same: one === other };
  });
  return { position, same: projections.every(({ same }) => same), projections };
}
