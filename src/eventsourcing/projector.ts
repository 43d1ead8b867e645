import { createHash } from 'node:crypto';
import { START, type EventLog, type Position, type RecordedEvent } from './event-log.ts';

/** A view of the log in memory: fed every event in the order of positions, asked by queries. */
export interface Projection {
  readonly name: string;
  /** Takes in one event. No I/O, no clock: what a projection holds follows from the events alone. */
  apply(event: RecordedEvent): void;
  /** All it holds, as JSON values in an order that follows from the events; what digests are taken of. */
  contents(): Iterable<unknown>;
}

export interface Projector {
  /** The position up to which every projection has taken in the log. */
  position(): Position;
  /** Digest by projection name, over all that each holds at `position()`. */
  digests(): Readonly<Record<string, string>>;
  /** By projection name, what each digest is taken of. */
  contents(): Readonly<Record<string, Iterable<unknown>>>;
}

/**
 * Replays the whole log into `projections`, in the order given, and resolves when they stand at its head.
 * @param progress called after each batch with the position reached
 */
export async function replay(
  log: Pick<EventLog, 'readAll'>,
  projections: readonly Projection[],
  progress: (position: Position) => void = () => {},
): Promise<Projector> {
  const { projector, take } = feed(projections);
  for await (const batch of log.readAll(START)) {
    take(batch);
    progress(projector.position());
  }
  return projector;
}

/**
 * Replays the log into `projections` up to the first event that `isBeyond`, as things stood just before it.
 * @returns the last event replayed; undefined when there is none
 */
export async function replayUntil(
  log: Pick<EventLog, 'readAll'>,
  projections: readonly Projection[],
  isBeyond: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent | undefined> {
  let last: RecordedEvent | undefined;
  for await (const batch of log.readAll(START)) {
    for (const event of batch) {
      if (isBeyond(event)) return last;
      for (const projection of projections) projection.apply(event);
      last = event;
    }
  }
  return last;
}

/**
 * Replays, then keeps the projections at the head: each durable batch is applied before its appends
 * are answered, so nobody is told of an event that a query does not know yet.
 */
export async function keepProjected(log: EventLog, projections: readonly Projection[]): Promise<Projector> {
  const { projector, take } = feed(projections);
  for await (const batch of log.readAll(START)) take(batch);
  log.onAppended(take);
  return projector;
}

function feed(projections: readonly Projection[]) {
  let reached: Position = START;
  const projector: Projector = {
    position: () => reached,
    digests: () => Object.fromEntries(projections.map((projection) => [projection.name, digest(projection)])),
    contents: () => Object.fromEntries(projections.map((projection) => [projection.name, projection.contents()])),
  };
  function take(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      for (const projection of projections) projection.apply(event);
      reached = event.position;
    }
  }
  return { projector, take };
}

function digest(projection: Projection): string {
  const hash = createHash('sha256');
  for (const entry of projection.contents()) hash.update(JSON.stringify(entry)).update('\n');
  return hash.digest('hex');
}
