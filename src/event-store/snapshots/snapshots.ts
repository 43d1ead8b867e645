import { hash, type KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EventLog, Position, RecordedEvent } from '../event-log.ts';
import type { Projection, ReplayProgress } from '../projector.ts';
import {
  encodeSnapshot,
  SNAPSHOT_FORMAT,
  openSnapshot,
  UnusableSnapshot,
  SNAPSHOT_VERSION,
  type SnapshotPiece,
  type SnapshotHeader,
} from './snapshot-format.ts';
import type { SnapshotStore } from './snapshot-store.ts';

/** The state that a snapshot contains. */
export interface SnapshotSource {
  readonly projections: readonly Projection[];
  /** Returns the root of the Merkle tree of all events so far, in base64. */
  root(): string;
  /**
   * Resolves when all data that the projections store elsewhere is durable. A snapshot must not refer to lost data.
   */
  settled(): Promise<void>;
}

/** Projections restored from a snapshot. */
export interface RestoredSnapshot<Value> {
  readonly value: Value;
  readonly progress: ReplayProgress;
  /** The last event in the snapshot. */
  readonly lastEvent: RecordedEvent;
}

/**
 * Snapshots of the projections, so that neither startup nor a query about the past has to replay the whole log.
 * Snapshots are disposable: a damaged snapshot, or one of a different version or log, is reported and ignored, and a
 * replay replaces it.
 */
export interface Snapshots {
  /** Restores the newest usable snapshot that `accepts` selects, into a new value from `create`. */
  restore<Value extends { readonly projections: readonly Projection[] }>(
    accepts: (header: SnapshotHeader) => boolean,
    create: () => Value,
  ): Promise<RestoredSnapshot<Value> | undefined>;
  /** Call it after each batch. Takes a snapshot if one is due, and writes it in the background. */
  onApplied(progress: ReplayProgress, source: SnapshotSource): void;
  /** Takes a snapshot if one is due. Call it when this process becomes the snapshot writer, even without new events. */
  writeIfDue(): void;
  /** Resolves when no snapshot is being written. */
  settled(): Promise<void>;
  /**
   * Writes a last snapshot if the next startup would otherwise replay `everyEvents` events or more. Call it after the
   * last `onApplied`.
   */
  finish(): Promise<void>;
}

/** Large snapshots are written less often, so that snapshots do not dominate the disk writes per event. */
const SNAPSHOT_BYTES_PER_EVENT = 500;

/** Older snapshots are thinned out evenly over the log. */
const MAX_SNAPSHOTS = 8;

export function createSnapshots(deps: {
  readonly store: SnapshotStore;
  readonly key: KeyObject;
  readonly log: Pick<EventLog, 'readAll'>;
  /** A snapshot is due after this many events, or later if it is large. */
  readonly everyEvents: number;
  /** No snapshots are written while the disk is almost full, because the log needs the space. */
  readonly space: { isLow(): boolean };
  /** Reports whether this process writes the snapshots, if several processes share them. */
  readonly isWriter?: () => boolean;
  /** Receives a line about each snapshot that was ignored or could not be written. */
  readonly notice: (line: string) => void;
}): Snapshots {
  const { store, key, log, everyEvents, space, isWriter = () => true, notice } = deps;
  /** Positions of snapshots that this process has found unusable. */
  const unusablePositions = new Set<number>();
  /** The position where the last attempt to write a snapshot failed. */
  let failedAt = 0;
  let dueAfter = everyEvents;
  let currentWrite: Promise<void> | undefined;
  let latestState: { readonly progress: ReplayProgress; readonly source: SnapshotSource } | undefined;

  /**
   * Returns the last event in the snapshot.
   * @throws UnusableSnapshot if the log does not contain that event
   */
  async function readLastEvent({ position, before, record }: SnapshotHeader): Promise<RecordedEvent> {
    for await (const [event] of log.readAll(before as Position)) {
      if (event?.position === position && hashRecord(event.record) === record) return event;
      break;
    }
    throw new UnusableSnapshot('it belongs to a different log');
  }

  async function restoreAt<Value extends { readonly projections: readonly Projection[] }>(
    position: number,
    accepts: (header: SnapshotHeader) => boolean,
    create: () => Value,
  ): Promise<RestoredSnapshot<Value> | undefined> {
    const { header, pieces, close } = await openSnapshot(store.read(position), key);
    try {
      if (!accepts(header)) return undefined;
      const lastEvent = await readLastEvent(header);
      const value = create();
      const byName = new Map(value.projections.map((projection) => [projection.name, projection]));
      if (![...byName.keys()].every((name) => header.projections.includes(name)))
        throw new UnusableSnapshot('it lacks a projection');
      for await (const { projection, bytes } of pieces()) {
        byName.get(projection)?.restore(bytes);
        await setImmediate(); // lets the server answer requests during the restore
      }
      return {
        value,
        lastEvent,
        progress: {
          position: lastEvent.position,
          before: header.before as Position,
          record: lastEvent.record,
          latest: header.latest,
        },
      };
    } finally {
      await close();
    }
  }

  async function write(
    header: SnapshotHeader,
    frozenProjections: readonly (readonly [name: string, pieces: Iterable<Uint8Array>])[],
    { settled }: SnapshotSource,
  ): Promise<void> {
    let bytes = 0;
    function* countBytes(): Generator<Uint8Array, void, void> {
      for (const chunk of encodeSnapshot(header, flattenPieces(frozenProjections), key)) {
        bytes += chunk.length;
        yield chunk;
      }
    }
    try {
      await settled();
      await store.write(header.position, countBytes());
      dueAfter = Math.max(everyEvents, Math.ceil(bytes / SNAPSHOT_BYTES_PER_EVENT));
      const positions = store.positions();
      if (positions.length > MAX_SNAPSHOTS) await store.remove(mostRedundantPosition(positions));
      failedAt = 0;
    } catch (error) {
      failedAt = header.position;
      notice(
        `the snapshot at position ${header.position} could not be written (${String(error)}); ` +
          'the next startup will replay more of the log',
      );
    } finally {
      currentWrite = undefined;
    }
  }

  function freeze({ position, before, record, latest }: ReplayProgress, source: SnapshotSource): void {
    const { projections } = source;
    const header: SnapshotHeader = {
      format: SNAPSHOT_FORMAT,
      version: SNAPSHOT_VERSION,
      position,
      before,
      record: hashRecord(record),
      latest,
      root: source.root(),
      projections: projections.map(({ name }) => name),
    };
    currentWrite = write(
      header,
      projections.map((projection) => [projection.name, projection.freeze()]),
      source,
    );
  }

  /** Returns the number of events since the newest usable snapshot or the last failed attempt to write one. */
  function eventsSinceSnapshot(position: number): number {
    const coveredPosition =
      store.positions().findLast((candidate) => candidate <= position && !unusablePositions.has(candidate)) ?? 0;
    return position - Math.max(coveredPosition, failedAt);
  }

  const mayWrite = (): boolean => currentWrite === undefined && !space.isLow() && isWriter();

  function writeIfDue(): void {
    if (latestState !== undefined && eventsSinceSnapshot(latestState.progress.position) >= dueAfter && mayWrite())
      freeze(latestState.progress, latestState.source);
  }

  return {
    async restore(accepts, create) {
      for (const position of store.positions().toReversed()) {
        try {
          const snapshot = await restoreAt(position, accepts, create);
          if (snapshot !== undefined) return snapshot;
        } catch (error) {
          unusablePositions.add(position);
          const reason = error instanceof Error ? error.message : String(error);
          notice(`the snapshot at position ${position} is ignored: ${reason}`);
        }
      }
      return undefined;
    },

    onApplied(progress, source) {
      latestState = { progress, source };
      writeIfDue();
    },

    writeIfDue,

    settled: () => currentWrite ?? Promise.resolve(),

    async finish() {
      await currentWrite;
      if (latestState !== undefined && eventsSinceSnapshot(latestState.progress.position) >= everyEvents && mayWrite())
        freeze(latestState.progress, latestState.source);
      await currentWrite;
    },
  };
}

function* flattenPieces(
  frozenProjections: readonly (readonly [name: string, pieces: Iterable<Uint8Array>])[],
): Generator<SnapshotPiece, void, void> {
  for (const [projection, pieces] of frozenProjections) for (const bytes of pieces) yield { projection, bytes };
}

function hashRecord(record: string): string {
  return hash('sha256', record, 'base64url');
}

/**
 * Returns the least useful of at least three ascending positions, which is the one whose neighbors are closest
 * together. Never returns the last position, which the next startup uses.
 */
export function mostRedundantPosition(positions: readonly number[]): number {
  const gaps = positions
    .slice(0, -1)
    .map((position, index) => ({ position, gap: (positions[index + 1] ?? 0) - (positions[index - 1] ?? 0) }));
  return gaps.reduce((least, candidate) => (candidate.gap < least.gap ? candidate : least)).position;
}
