import { START, type Position } from '../event-store/event-log.ts';
import type { OperationContext } from './operation-context.ts';

export interface ReplayProgress {
  readonly replayed: number;
  readonly head: number;
  /** Since the replay began. */
  readonly seconds: number;
}

export interface ReplayResult {
  /** The position at which the two were compared. */
  readonly position: Position;
  readonly same: boolean;
  readonly projections: readonly ComparedProjection[];
}

export interface ComparedProjection {
  readonly name: string;
  /** Digests. */
  readonly rebuilt: string;
  readonly running: string;
  readonly same: boolean;
  /**
   * The position of the event that made the first entry in which the two differ: the running state has no history,
   * so at which later event it went wrong cannot be told. Null when they are the same, when entries of this
   * projection do not say where they come from, or when the server went on to change it meanwhile.
   */
  readonly first_difference: number | null;
}

/** About a line a second. */
const EVENTS_PER_REPORT = 250_000;

/**
 * Rebuilds every projection from nothing and compares it, at one and the same position, with what
 * the running server holds. Yields progress, and at the end the result.
 * @throws Error the log grew between the two digests
 */
export async function* replayAndCompare(
  { projector, rebuild, clock }: Pick<OperationContext, 'projector' | 'rebuild' | 'clock'>,
  signal: AbortSignal,
): AsyncGenerator<ReplayProgress | ReplayResult, void, void> {
  let reached: number = START;
  let reported: number = START;
  let report: (() => void) | undefined;
  const startedAt = clock.ticks();
  // In one turn with the beginning of the replay, which ends at the head as it is now.
  const running = { position: projector.position(), digests: projector.digests() };
  const rebuilding = rebuild((position) => {
    signal.throwIfAborted();
    reached = position;
    if (reached - reported >= EVENTS_PER_REPORT) report?.();
  });

  const over = rebuilding.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([over, reportDue()]))) {
    reported = reached;
    yield { replayed: reached, head: running.position, seconds: (clock.ticks() - startedAt) / 1000 };
  }
  if (signal.aborted) return;
  const rebuilt = await rebuilding;
  if (rebuilt.position() !== running.position)
    throw new Error('the log grew between the two digests; run the replay again');
  const canLookCloser = projector.position() === running.position;
  const projections = Object.entries(rebuilt.digests()).map(([name, digest]): ComparedProjection => {
    const same = digest === running.digests[name];
    const difference =
      same || !canLookCloser ? null : firstDifference(rebuilt.contents()[name] ?? [], projector.contents()[name] ?? []);
    return { name, rebuilt: digest, running: running.digests[name] ?? '', same, first_difference: difference };
  });
  yield { position: running.position, same: projections.every(({ same }) => same), projections };

  function reportDue(): Promise<false> {
    return new Promise((resolve) => {
      report = () => resolve(false);
    });
  }
}

/** Entries stand in the order in which they were made, so the first pair that differs has the oldest one. */
function firstDifference(rebuilt: Iterable<unknown>, running: Iterable<unknown>): number | null {
  const others = running[Symbol.iterator]();
  for (const entry of rebuilt) {
    const { value: other } = others.next() as { readonly value: unknown };
    if (JSON.stringify(entry) !== JSON.stringify(other))
      return earliest(creationPosition(entry), creationPosition(other));
  }
  return earliest(creationPosition(others.next().value));
}

function earliest(...positions: readonly number[]): number | null {
  const first = Math.min(...positions);
  return first === Infinity ? null : first;
}

/** Many entries say at which position they were made: users, clients, grants, tokens. */
function creationPosition(entry: unknown): number {
  if (typeof entry !== 'object' || entry === null) return Infinity;
  if (Array.isArray(entry)) return Math.min(...entry.map(creationPosition));
  const position: unknown = Object.entries(entry).find(([name]) => name.endsWith('Position'))?.[1];
  return typeof position === 'number' ? position : Infinity;
}
