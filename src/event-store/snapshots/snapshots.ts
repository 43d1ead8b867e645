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
import { mostRedundant } from './thinning.ts';

/** What is frozen together. */
export interface SnapshotSource {
  readonly projections: readonly Projection[];
  /** The root of the tree over all events so far, base64. */
  root(): string;
  /** Resolves when all that the projections keep elsewhere is durable: a snapshot must not outlive it. */
  settled(): Promise<void>;
}

/** Projections as they were at a snapshot. */
export interface RestoredSnapshot<Made> {
  readonly value: Made;
  readonly reached: ReplayProgress;
  /** The last event in them. */
  readonly lastEvent: RecordedEvent;
}

/**
 * Snapshots of the projections, so that a start, or a look at the past, need not replay the whole log.
 * They are worth nothing: what is damaged, of another release or of another log is ignored with a word
 * about it, and a replay does the work.
 */
export interface Snapshots {
  /** Restores the newest usable one that `isWanted`, into what `make` makes anew for each attempt. */
  restore<Made extends { readonly projections: readonly Projection[] }>(
    isWanted: (header: SnapshotHeader) => boolean,
    make: () => Made,
  ): Promise<RestoredSnapshot<Made> | undefined>;
  /** Told after each batch, it freezes what has come about when a snapshot is due and writes it in the background. */
  onApplied(events: number, reached: ReplayProgress, freezable: SnapshotSource): void;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
  /** Writes one more where the next start would replay `everyEvents` or more, however large it is: there is time for it now. After the last `applied`. */
  finish(): Promise<void>;
}

/** A large state is written less often: for each event about as much again as the event itself takes twice. */
const SNAPSHOT_BYTES_PER_EVENT = 500;

/** More are thinned out, evenly over the log: a look at the past replays an eighth of it at most. */
const MAX_SNAPSHOTS = 8;

export function createSnapshots(parts: {
  readonly store: SnapshotStore;
  readonly key: KeyObject;
  readonly log: Pick<EventLog, 'readAll'>;
  /** A snapshot is due after this many events, or more when it is large. */
  readonly everyEvents: number;
  /** Snapshots are not written while appends are refused for lack of space: they are worth less than the log. */
  readonly space: { isLow(): boolean };
  /** A line about what was ignored, or could not be written. */
  readonly notice: (line: string) => void;
}): Snapshots {
  const { store, key, log, everyEvents, space, notice } = parts;
  let sinceLast = 0;
  let dueAfter = everyEvents;
  let writing: Promise<void> | undefined;
  let newest: { readonly reached: ReplayProgress; readonly freezable: SnapshotSource } | undefined;

  /** Its own last event is still where it was: it is of this log. */
  async function lastEventOf({ position, before, record }: SnapshotHeader): Promise<RecordedEvent> {
    for await (const [event] of log.readAll(before as Position)) {
      if (event?.position === position && hashRecord(event.record) === record) return event;
      break;
    }
    throw new UnusableSnapshot('it is of another log');
  }

  async function restoreAt<Made extends { readonly projections: readonly Projection[] }>(
    position: number,
    isWanted: (header: SnapshotHeader) => boolean,
    make: () => Made,
  ): Promise<RestoredSnapshot<Made> | undefined> {
    const { header, pieces, close } = await openSnapshot(store.read(position), key);
    try {
      if (!isWanted(header)) return undefined;
      const last = await lastEventOf(header);
      const made = make();
      const byName = new Map(made.projections.map((projection) => [projection.name, projection]));
      if (![...byName.keys()].every((name) => header.projections.includes(name)))
        throw new UnusableSnapshot('a projection is missing in it');
      for await (const { projection, bytes } of pieces()) {
        byName.get(projection)?.restore(bytes);
        await setImmediate(); // a look at the past restores while requests are answered
      }
      return {
        value: made,
        lastEvent: last,
        reached: {
          position: last.position,
          before: header.before as Position,
          record: last.record,
          latest: header.latest,
        },
      };
    } finally {
      await close();
    }
  }

  async function write(
    header: SnapshotHeader,
    frozen: readonly (readonly [name: string, pieces: Iterable<Uint8Array>])[],
    { settled }: SnapshotSource,
  ): Promise<void> {
    let bytes = 0;
    function* counted(): Generator<Uint8Array, void, void> {
      for (const chunk of encodeSnapshot(header, flattenPieces(frozen), key)) {
        bytes += chunk.length;
        yield chunk;
      }
    }
    try {
      await settled();
      await store.write(header.position, counted());
      dueAfter = Math.max(everyEvents, Math.ceil(bytes / SNAPSHOT_BYTES_PER_EVENT));
      const positions = store.positions();
      if (positions.length > MAX_SNAPSHOTS) await store.remove(mostRedundant(positions));
    } catch (error) {
      notice(
        `the snapshot at position ${header.position} could not be written (${String(error)}); the next start replays more of the log`,
      );
    } finally {
      writing = undefined;
    }
  }

  function freeze({ position, before, record, latest }: ReplayProgress, freezable: SnapshotSource): void {
    sinceLast = 0;
    const { projections } = freezable;
    const header: SnapshotHeader = {
      format: SNAPSHOT_FORMAT,
      version: SNAPSHOT_VERSION,
      position,
      before,
      record: hashRecord(record),
      latest,
      root: freezable.root(),
      projections: projections.map(({ name }) => name),
    };
    writing = write(
      header,
      projections.map((projection) => [projection.name, projection.freeze()]),
      freezable,
    );
  }

  return {
    async restore(isWanted, make) {
      for (const position of store.positions().toReversed()) {
        try {
          const restored = await restoreAt(position, isWanted, make);
          if (restored !== undefined) return restored;
        } catch (error) {
          notice(
            `the snapshot at position ${position} is ignored: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      }
      return undefined;
    },

    onApplied(events, reached, freezable) {
      sinceLast += events;
      newest = { reached, freezable };
      if (sinceLast >= dueAfter && writing === undefined && !space.isLow()) freeze(reached, freezable);
    },

    settled: () => writing ?? Promise.resolve(),

    async finish() {
      await writing;
      if (sinceLast >= everyEvents && newest !== undefined && !space.isLow()) freeze(newest.reached, newest.freezable);
      await writing;
    },
  };
}

function* flattenPieces(
  frozen: readonly (readonly [name: string, pieces: Iterable<Uint8Array>])[],
): Generator<SnapshotPiece, void, void> {
  for (const [projection, pieces] of frozen) for (const bytes of pieces) yield { projection, bytes };
}

function hashRecord(record: string): string {
  return hash('sha256', record, 'base64url');
}
