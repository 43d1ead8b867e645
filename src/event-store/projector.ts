import { createHash } from 'node:crypto';
import { START, type EventLog, type Position, type RecordedEvent } from './event-log.ts';

/** A view of the log in memory: fed every event in the order of positions, asked by queries. */
export interface Projection {
  readonly name: string;
  /** Takes in one event. No I/O, no clock: what a projection holds follows from the events alone. */
  apply(event: RecordedEvent): void;
  /** All it holds, as JSON values in an order that follows from the events; what digests are taken of. */
  contents(): Iterable<unknown>;
  /**
   * All it holds now, in pieces that may be asked for later: they stay as they are while it goes on.
   * They are kept on disk, so nothing personal is in them that is not sealed.
   */
  freeze(): Iterable<Uint8Array>;
  /**
   * Takes back what an equal projection froze, piece by piece in the same order, before it has applied
   * anything; from then on the two are the same. A piece is there for the time of the call: what is kept of it is copied.
   * @throws Error the piece is none of its own
   */
  restore(piece: Uint8Array): void;
}

/** How far a replay came: all that it takes to go on from there, and to know the place again. */
export interface ReplayProgress {
  /** The position of the last event that was applied; START before the first one. */
  readonly position: Position;
  /** The position of the one before. */
  readonly before: Position;
  /** The last event's record. */
  readonly record: string;
  /** The latest of all times at which the events were recorded, in milliseconds since the epoch. */
  readonly latest: number;
}

export const REPLAY_START: ReplayProgress = { position: START, before: START, record: '', latest: 0 };

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
  const { projector, take } = createFeed(projections);
  for await (const batch of log.readAll(START)) {
    take(batch);
    progress(projector.position());
  }
  return projector;
}

/**
 * Replays what follows `after` into `projections`, which stand there, up to the first event that
 * `isBeyond`: as things stood just before it.
 * @returns the last event replayed; undefined when there is none
 */
export async function replayUntil(
  log: Pick<EventLog, 'readAll'>,
  projections: readonly Projection[],
  after: Position,
  isBeyond: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent | undefined> {
  let last: RecordedEvent | undefined;
  for await (const batch of log.readAll(after)) {
    for (const event of batch) {
      if (isBeyond(event)) return last;
      for (const projection of projections) projection.apply(event);
      last = event;
    }
  }
  return last;
}

/**
 * Replays what follows `from`, where the projections stand, and keeps them at the head: each durable
 * batch is applied before its appends are answered, so nobody is told of an event that a query does
 * not know yet.
 * @param applied told after each batch, replayed or live, how many events it had and where it led
 */
export async function startProjector(
  log: EventLog,
  projections: readonly Projection[],
  from: ReplayProgress = REPLAY_START,
  applied: (events: number, reached: ReplayProgress) => void = () => {},
): Promise<Projector> {
  const { projector, take } = createFeed(projections, from, applied);
  for await (const batch of log.readAll(from.position)) take(batch);
  log.onAppended(take);
  return projector;
}

function createFeed(
  projections: readonly Projection[],
  from: ReplayProgress = REPLAY_START,
  applied: (events: number, reached: ReplayProgress) => void = () => {},
) {
  let reached = from;
  const projector: Projector = {
    position: () => reached.position,
    digests: () => Object.fromEntries(projections.map((projection) => [projection.name, digest(projection)])),
    contents: () => Object.fromEntries(projections.map((projection) => [projection.name, projection.contents()])),
  };
  function take(events: readonly RecordedEvent[]): void {
    let { position, before, latest } = reached;
    for (const event of events) {
      for (const projection of projections) projection.apply(event);
      before = position;
      position = event.position;
      if (event.recordedAt > latest) latest = event.recordedAt;
    }
    reached = { position, before, record: events.at(-1)?.record ?? reached.record, latest };
    applied(events.length, reached);
  }
  return { projector, take };
}

function digest(projection: Projection): string {
  const hash = createHash('sha256');
  for (const entry of projection.contents()) hash.update(JSON.stringify(entry)).update('\n');
  return hash.digest('hex');
}
