import type { LogDamaged, Position } from './event-log.ts';

/** Moves old events out of a log's live storage into compressed files. Reading the log includes them. */
export interface LogArchive {
  /** The position of the last archived event; START if there is none. */
  end(): Position;
  /**
   * Archives the events before the first one that was recorded at `time` (milliseconds since the epoch) or later. An
   * engine that stores events in groups leaves that event's whole group in place. If `signal` aborts or the process
   * ends, no event is lost or duplicated.
   * @throws LogDamaged an event to be archived, or an earlier segment, is missing or damaged
   */
  archiveBefore(time: number, options: ArchiveOptions): Promise<ArchiveResult>;
  /**
   * Compares every file with its seal and every index with its records, and yields the differences.
   * @param pace awaited after each piece of work, so that a caller can slow it down
   */
  check(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;
  /**
   * Checks that no segment is missing. Reads no contents.
   * @throws LogDamaged a segment is missing
   */
  assertComplete(): void;
}

export interface ArchiveOptions {
  readonly signal: AbortSignal;
  /** Called after each step. If it throws, archiving stops there. */
  readonly progress: (step: ArchiveStep) => void;
}

export interface ArchiveStep {
  /**
   * Compressed: events up to here. Written: the files read back correctly. Sealed: the segment is archived. Dropped:
   * the live storage no longer has the events. Compacted: their disk space is free.
   */
  readonly step: 'compressed' | 'written' | 'sealed' | 'dropped' | 'compacted';
  readonly position: Position;
}

export interface ArchiveResult {
  readonly events: number;
  /** The position of the last archived event, including earlier runs. */
  readonly end: Position;
  /** The names of the new record files, in order. */
  readonly files: readonly string[];
  /** The size of the archived events as UTF-8 text. */
  readonly textBytes: number;
  /** The size of the new files, indexes included. */
  readonly archivedBytes: number;
}
