import { START, type Position } from '../event-store/event-log.ts';
import type { OperationContext } from './operation-context.ts';

export interface ReplayProgress {
  readonly replayed: number;
  readonly head: number;
  /** The time since the replay began. */
  readonly seconds: number;
}

export interface ReplayResult {
  /** The position at which the projections were compared. */
  readonly position: Position;
  readonly same: boolean;
  readonly projections: readonly ComparedProjection[];
}

export interface ComparedProjection {
  readonly name: string;
  /** The digests of the rebuilt and the running projection. */
  readonly rebuilt: string;
  readonly running: string;
  readonly same: boolean;
  /**
   * The position of the event that created the first differing entry. The running state has no history, so it is
   * unknown which event made the entry differ. Null if the digests are the same, if entries of this projection do not
   * record their origin, or if events were appended during the replay.
   */
  readonly first_difference: number | null;
}

/** About one progress line per second. */
const EVENTS_PER_REPORT = 250_000;

/**
 * Rebuilds every projection from scratch and compares it with the running one at the same position. Yields progress,
 * then the result, unless it is aborted.
 * @throws Error if the log grew between the two digests
 */
export async function* replayAndCompare(
  { projector, rebuild, clock }: Pick<OperationContext, 'projector' | 'rebuild' | 'clock'>,
  signal: AbortSignal,
): AsyncGenerator<ReplayProgress | ReplayResult, void, void> {
  let replayedPosition: number = START;
  let reportedPosition: number = START;
  let report: (() => void) | undefined;
  const startedAt = clock.ticks();
  // Captured in the same turn of the event loop as the head at which the replay ends.
  const runningState = { position: projector.position(), digests: projector.digests() };
  const rebuilding = rebuild((position) => {
    signal.throwIfAborted();
    replayedPosition = position;
    if (replayedPosition - reportedPosition >= EVENTS_PER_REPORT) report?.();
  });

  const whenFinished = rebuilding.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([whenFinished, nextReport()]))) {
    reportedPosition = replayedPosition;
    yield { replayed: replayedPosition, head: runningState.position, seconds: (clock.ticks() - startedAt) / 1000 };
  }
  if (signal.aborted) return;
  const rebuiltProjector = await rebuilding;
  if (rebuiltProjector.position() !== runningState.position)
    throw new Error('the log grew between the two digests; run the replay again');
  const canCompareEntries = projector.position() === runningState.position;
  const projections = Object.entries(rebuiltProjector.digests()).map(([name, digest]): ComparedProjection => {
    const isSame = digest === runningState.digests[name];
    const difference =
      isSame || !canCompareEntries
        ? null
        : firstDifference(rebuiltProjector.contents()[name] ?? [], projector.contents()[name] ?? []);
    return {
      name,
      rebuilt: digest,
      running: runningState.digests[name] ?? '',
      same: isSame,
      first_difference: difference,
    };
  });
  yield { position: runningState.position, same: projections.every(({ same }) => same), projections };

  function nextReport(): Promise<false> {
    return new Promise((resolve) => {
      report = () => resolve(false);
    });
  }
}

/**
 * Returns the position at which the oldest differing entry was created. Entries are in order of creation, so this entry
 * is in the first differing pair.
 */
function firstDifference(rebuiltEntries: Iterable<unknown>, runningEntries: Iterable<unknown>): number | null {
  const runningIterator = runningEntries[Symbol.iterator]();
  for (const entry of rebuiltEntries) {
    const { value: runningEntry } = runningIterator.next() as { readonly value: unknown };
    if (JSON.stringify(entry) !== JSON.stringify(runningEntry))
      return earliest(creationPosition(entry), creationPosition(runningEntry));
  }
  return earliest(creationPosition(runningIterator.next().value));
}

function earliest(...positions: readonly number[]): number | null {
  const first = Math.min(...positions);
  return first === Infinity ? null : first;
}

/** Returns the position at which an entry was created, or Infinity if the entry does not record it. */
function creationPosition(entry: unknown): number {
  if (typeof entry !== 'object' || entry === null) return Infinity;
  if (Array.isArray(entry)) return Math.min(...entry.map(creationPosition));
  const position: unknown = Object.entries(entry).find(([name]) => name.endsWith('Position'))?.[1];
  return typeof position === 'number' ? position : Infinity;
}
