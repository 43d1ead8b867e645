import { START, type Position } from '../eventsourcing/event-log.ts';
import type { Administration } from './administration.ts';

export interface ReplayProgress {
  readonly replayed: number;
  readonly head: number;
}

export interface ReplayResult {
  /** The position at which the two were compared. */
  readonly position: Position;
  readonly same: boolean;
  readonly projections: readonly { readonly name: string; readonly rebuilt: string; readonly running: string; readonly same: boolean }[];
}

type Digests = Readonly<Record<string, string>>;

/** About a line a second. */
const EVENTS_A_REPORT = 250_000;

/**
 * Rebuilds every projection from nothing and compares it, at one and the same position, with what
 * the running server holds. Yields progress, and at the end the result.
 */
export async function* replayAndCompare(
  { log, projector, rebuild }: Pick<Administration, 'log' | 'projector' | 'rebuild'>,
  signal: AbortSignal,
): AsyncGenerator<ReplayProgress | ReplayResult, void, void> {
  let reached: number = START;
  let reported: number = START;
  let report: (() => void) | undefined;
  // In one turn with the beginning of the replay, which ends at the head as it is now.
  const running = { position: projector.position(), digests: projector.digests() };
  const rebuilding = rebuild((position) => {
    signal.throwIfAborted();
    reached = position;
    if (reached - reported >= EVENTS_A_REPORT) report?.();
  });

  const over = rebuilding.then(() => true, () => true);
  while (!(await Promise.race([over, reportDue()]))) {
    reported = reached;
    yield { replayed: reached, head: log.head() };
  }
  if (signal.aborted) return;
  const rebuilt = await rebuilding;
  if (rebuilt.position() !== running.position) throw new Error('the log grew between the two digests; run the replay again');
  yield compare(running.position, rebuilt.digests(), running.digests);

  function reportDue(): Promise<false> {
    return new Promise((resolve) => {
      report = () => resolve(false);
    });
  }
}

function compare(position: Position, rebuilt: Digests, running: Digests): ReplayResult {
  const names = [...new Set([...Object.keys(rebuilt), ...Object.keys(running)])];
  const projections = names.map((name) => {
    const [one, other] = [rebuilt[name] ?? '', running[name] ?? ''];
    return { name, rebuilt: one, running: other, same: one === other };
  });
  return { position, same: projections.every(({ same }) => same), projections };
}
