import type { LogDamaged, Position } from './event-log.ts';

/** Old stretches of a log, moved out of its live storage into compressed files; the log reads them as it reads all else. */
export interface LogArchive {
  /** The position of the last event that was moved; START when none was. */
  end(): Position;
  /**
   * Moves the events up to the first one that was recorded at `time` (milliseconds since the epoch) or later;
   * where the engine keeps events together, what is kept with that one stays with it. Interrupted at any
   * moment, by `signal` or by the end of the process, it loses nothing and doubles nothing.
   * @throws LogDamaged what is to be moved is not whole, or an earlier stretch is not
   */
  archiveBefore(time: number, watch: ArchiveOptions): Promise<ArchiveResult>;
  /**
   * Compares every file with its seal and every index with its records; yields the differences.
   * @param pace awaited after each piece of work, so that a caller can slow it down
   */
  check(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;
  /** Looks at no file's contents. @throws LogDamaged a stretch is missing, at its end or in the middle */
  assertComplete(): void;
}

export interface ArchiveOptions {
  readonly signal: AbortSignal;
  /** Told of each step that is done; what it throws ends the moving there. */
  readonly progress: (step: ArchiveStep) => void;
}

export interface ArchiveStep {
  /** Compressed: so far. Written: the files hold them, and read back as they were. Sealed: they count from now on. Dropped: they are gone from the live storage. Compacted: so is their room. */
  readonly step: 'compressed' | 'written' | 'sealed' | 'dropped' | 'compacted';
  readonly position: Position;
}

export interface ArchiveResult {
  readonly events: number;
  /** The position of the last event that is archived now, whenever it was. */
  readonly end: Position;
  /** The names of the record files made, in order. */
  readonly files: readonly string[];
  /** The events as UTF-8 text. */
  readonly textBytes: number;
  /** The same in the archive, with its index. */
  readonly archivedBytes: number;
}
