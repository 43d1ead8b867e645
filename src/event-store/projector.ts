import { createHash } from 'node:crypto';
import { START, type EventLog, type Position, type RecordedEvent } from './event-log.ts';

/** An in-memory view of the log that receives its events in the order of positions. */
export interface Projection {
  readonly name: string;
  /** The types of the events to apply; undefined for all events, for example because their times matter. */
  readonly eventTypes?: ReadonlySet<string>;
  /** Applies one event, without I/O and without a clock, because the state must follow from the events alone. */
  apply(event: RecordedEvent): void;
  /** Returns the whole state as JSON values, in an order that follows from the events. Digests are computed from it. */
  contents(): Iterable<unknown>;
  /**
   * Returns the current state in pieces. Events applied later do not change the pieces, even those that have not been
   * requested yet. Snapshots store the pieces on disk, so personal data must be sealed.
   */
  freeze(): Iterable<Uint8Array>;
  /**
   * Restores one piece of a state that the same projection froze earlier. All pieces must be restored in the same
   * order, before any event is applied. A piece is valid only during the call, so copy the parts that you need later.
   * @throws Error if the piece is invalid
   */
  restore(piece: Uint8Array): void;
}

/** The progress of a replay, with enough data to continue it later and to recognize the log. */
export interface ReplayProgress {
  /** The position of the last applied event, or START before the first one. */
  readonly position: Position;
  /** The position of the event before that one. */
  readonly before: Position;
  /** The last event's record. */
  readonly record: string;
  /** The latest time when one of the events was recorded, in milliseconds since the epoch. */
  readonly latest: number;
}

export const REPLAY_START: ReplayProgress = { position: START, before: START, record: '', latest: 0 };

export interface Projector {
  /** Returns the position that every projection has applied the log up to. */
  position(): Position;
  /** Returns a digest of each projection's state at `position()`, by name. */
  digests(): Readonly<Record<string, string>>;
  /** Returns the values that each digest is computed from, by projection name. */
  contents(): Readonly<Record<string, Iterable<unknown>>>;
}

/**
 * Replays the whole log into `projections`, in the given order. Resolves when they have reached its head.
 * @param progress called after each batch with the position reached
 */
export async function replay(
  log: Pick<EventLog, 'readAll'>,
  projections: readonly Projection[],
  progress: (position: Position) => void = () => {},
): Promise<Projector> {
  const { projector, apply } = createProjector(projections);
  for await (const batch of log.readAll(START)) {
    apply(batch);
    progress(projector.position());
  }
  return projector;
}

/**
 * Replays the events after `after` into `projections`, which must be at that position. Stops before the first event
 * that `isBeyond` returns true for.
 * @returns the last applied event, or undefined if no event was applied
 */
export async function replayUntil(
  log: Pick<EventLog, 'readAll'>,
  projections: readonly Projection[],
  after: Position,
  isBeyond: (event: RecordedEvent) => boolean,
): Promise<RecordedEvent | undefined> {
  const applyEvent = dispatchByType(projections);
  let last: RecordedEvent | undefined;
  for await (const batch of log.readAll(after)) {
    for (const event of batch) {
      if (isBeyond(event)) return last;
      applyEvent(event);
      last = event;
    }
  }
  return last;
}

/**
 * Replays the events after `from`, which the projections must have reached, and then follows the log. Each durable
 * batch is applied before its appends resolve, so queries already include every event that a caller knows of.
 * @param onApplied called after each batch, replayed or live, with the number of events and the progress
 */
export async function startProjector(
  log: EventLog,
  projections: readonly Projection[],
  from: ReplayProgress = REPLAY_START,
  onApplied: (events: number, progress: ReplayProgress) => void = () => {},
): Promise<Projector> {
  const { projector, apply } = createProjector(projections, from, onApplied);
  // Other nodes may append during the replay. No event can arrive between the last check and setting the listener.
  do for await (const batch of log.readAll(projector.position())) apply(batch);
  while (log.head() > projector.position());
  log.onAppended(apply);
  return projector;
}

/** Returns a projector, and the function that applies the next events to its projections. */
function createProjector(
  projections: readonly Projection[],
  from: ReplayProgress = REPLAY_START,
  onApplied: (events: number, progress: ReplayProgress) => void = () => {},
) {
  let progress = from;
  const projector: Projector = {
    position: () => progress.position,
    digests: () => Object.fromEntries(projections.map((projection) => [projection.name, digest(projection)])),
    contents: () => Object.fromEntries(projections.map((projection) => [projection.name, projection.contents()])),
  };
  const applyEvent = dispatchByType(projections);
  function apply(events: readonly RecordedEvent[]): void {
    let { position, before, latest } = progress;
    for (const event of events) {
      applyEvent(event);
      before = position;
      position = event.position;
      if (event.recordedAt > latest) latest = event.recordedAt;
    }
    progress = { position, before, record: events.at(-1)?.record ?? progress.record, latest };
    onApplied(events.length, progress);
  }
  return { projector, apply };
}

/** Returns a function that applies an event to the projections that apply its type, in the given order. */
function dispatchByType(projections: readonly Projection[]): (event: RecordedEvent) => void {
  const projectionsByType = new Map<string, readonly Projection[]>();

  function projectionsFor(type: string): readonly Projection[] {
    const cached = projectionsByType.get(type);
    if (cached !== undefined) return cached;
    const matching = projections.filter(({ eventTypes }) => eventTypes === undefined || eventTypes.has(type));
    projectionsByType.set(type, matching);
    return matching;
  }

  return (event) => {
    for (const projection of projectionsFor(event.type)) projection.apply(event);
  };
}

function digest(projection: Projection): string {
  const hash = createHash('sha256');
  for (const entry of projection.contents()) hash.update(JSON.stringify(entry)).update('\n');
  return hash.digest('hex');
}
