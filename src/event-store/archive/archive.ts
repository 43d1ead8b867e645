import { mkdir, readdir, readFile, stat, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LogDamaged, START } from '../event-log.ts';
import type { Position, RecordedEvent, Revision, StreamName } from '../event-log.ts';
import { checkSegment } from './check-segment.ts';
import { parseSeal, parseSealName, segmentPaths, type Seal } from './seal.ts';
import { createSegment, damagedFileError, type Segment } from './segment.ts';
import { writeSegment, type DraftSegment } from './write-segment.ts';
import { writePrivateFile } from './private-file.ts';

/** The archived start of a log: segments in files, without gaps from the first position on. */
export interface Archive {
  /** Returns the position of the last archived event before the first gap, or START if nothing is archived. */
  end(): Position;
  /** The first problem with the segments' names, sizes or seals. The archive ends before the affected segment. */
  readonly problem: LogDamaged | undefined;
  /**
   * Reads the archived events from `from` to `to`, in batches.
   * @throws LogDamaged if a file is damaged; the message contains the position
   */
  read(from: Position, to: Position): AsyncGenerator<readonly RecordedEvent[], void, void>;
  /**
   * Reads the archived events of a stream after position `after`, oldest first, in pages.
   * @throws LogDamaged if a file is damaged
   */
  readStream(stream: StreamName, after: number): AsyncGenerator<readonly RecordedEvent[], void, void>;
  /**
   * Reads the archived events of a stream before position `before`, newest first, in pages.
   * @throws LogDamaged if a file is damaged
   */
  readStreamBackwards(stream: StreamName, before: number): AsyncGenerator<readonly RecordedEvent[], void, void>;
  /**
   * Returns the revision of the stream's last archived event, or 0 if none is archived.
   * @throws LogDamaged if a file is damaged
   */
  lastRevision(stream: StreamName): Promise<Revision | 0>;
  /**
   * Writes the next segment, which becomes part of the archive only after `publish` and `add`.
   * @returns undefined if `batches` is empty
   */
  write(batches: AsyncIterable<readonly RecordedEvent[]>): Promise<DraftSegment | undefined>;
  /** Adds a published segment to the archive. */
  add(seal: Seal): void;
  /** Reads all segments, and yields the damage that it finds. Ends early if `signal` is aborted. */
  check(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;
}

export type ReadableArchive = Pick<
  Archive,
  'end' | 'problem' | 'read' | 'readStream' | 'readStreamBackwards' | 'lastRevision'
>;

/** An empty archive, for logs that have no archive. */
export const NO_ARCHIVE: ReadableArchive = {
  end: () => START,
  problem: undefined,
  async *read() {},
  async *readStream() {},
  async *readStreamBackwards() {},
  lastRevision: async () => 0,
};

/** Opens the archive in `directory`, which need not exist. Checks names, sizes and seals, but reads no events. */
export async function openArchive(directory: string): Promise<Archive> {
  const seals: Seal[] = [];
  const problem = await findProblem(directory, (seal) => seals.push(seal));
  return createArchive(directory, { seals, problem });
}

export interface ArchiveContents {
  readonly seals: readonly Seal[];
  readonly problem: LogDamaged | undefined;
  /** Distinguishes this process's files from those of other processes that write to the same directory. */
  readonly tag?: string;
}

/** Opens the archive that consists of the given segments in `directory`. Does not search for other segments. */
export function createArchive(directory: string, { seals, problem, tag }: ArchiveContents): Archive {
  const segments: Segment[] = seals.map((seal) => createSegment(directory, seal));
  const end = (): Position => segments.at(-1)?.seal.last ?? START;

  /** True while a seal is being written, and after writing a seal has failed: the seal may be on disk. */
  let isSealUncertain = false;

  async function publish(draft: DraftSegment): Promise<void> {
    isSealUncertain = true;
    await draft.publish();
    isSealUncertain = false;
  }

  function assertComplete(): void {
    if (problem !== undefined) throw problem;
  }

  /**
   * Returns the index of the segment that contains the stream's first event, or 0 if no segment does. Searches the
   * newest segments first, because most streams are short-lived.
   */
  async function findFirstSegment(stream: StreamName): Promise<number> {
    for (let index = segments.length - 1; index >= 0; index -= 1) {
      for await (const [oldest] of segments[index]?.readStream(stream, START) ?? []) {
        if (oldest?.revision === 1) return index;
        break;
      }
    }
    return 0;
  }

  return {
    end,
    problem,

    async *read(from, to) {
      for (const segment of segments.slice(indexOfPosition(segments, from))) {
        const { first, last } = segment.seal;
        if (first > to) return;
        yield* segment.read(Math.max(from, first) as Position, Math.min(to, last) as Position);
      }
    },

    async *readStream(stream, after) {
      assertComplete();
      const begin = after > START ? indexOfPosition(segments, after + 1) : await findFirstSegment(stream);
      for (const segment of segments.slice(begin)) yield* segment.readStream(stream, after);
    },

    async *readStreamBackwards(stream, before) {
      assertComplete();
      for (const segment of segments.toReversed()) {
        if (segment.seal.first < before) yield* segment.readStreamBackwards(stream, before);
      }
    },

    async lastRevision(stream) {
      assertComplete();
      for (const segment of segments.toReversed()) {
        for await (const [newest] of segment.readStreamBackwards(stream, Infinity)) return newest?.revision ?? 0;
      }
      return 0;
    },

    async write(batches) {
      assertComplete();
      if (isSealUncertain)
        throw new Error(
          'an earlier run failed while writing a seal; restart the server to find out whether the seal is on disk',
        );
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const removeLeftovers = (): Promise<void> => removeUnsealed(directory, tag);
      await removeLeftovers();
      const draft = await writeSegment(directory, batches, tag).catch(async (error: unknown) => {
        await removeLeftovers(); // frees the space if the disk is full
        throw error;
      });
      return draft && { ...draft, publish: () => publish(draft) };
    },

    add(seal) {
      segments.push(createSegment(directory, seal));
    },

    async *check(signal, pace) {
      for (const { seal } of segments) {
        if (signal.aborted) return;
        yield* checkSegment(directory, seal, { pace });
      }
    },
  };
}

/** Passes each seal to `onSeal`, in order. Stops at the first problem and returns it. */
async function findProblem(directory: string, onSeal: (seal: Seal) => void): Promise<LogDamaged | undefined> {
  let nextPosition = 1;
  for (const name of (await listNames(directory))
    .map(parseSealName)
    .filter((parsed) => parsed !== undefined)
    .toSorted((left, right) => left.first - right.first)) {
    const path = segmentPaths(directory, name).seal;
    if (name.first !== nextPosition) {
      return new LogDamaged(
        nextPosition as Position,
        name.first < nextPosition
          ? `${basename(path)} overlaps another archive file`
          : `no archive file in ${directory} has the events up to position ${name.first - 1}`,
      );
    }
    try {
      const seal = parseSeal(await readFile(path, 'utf8'), name);
      await assertFiles(directory, seal);
      onSeal(seal);
    } catch (error) {
      return error instanceof LogDamaged ? error : damagedFileError(path, name.first, error);
    }
    nextPosition = name.last + 1;
  }
  return undefined;
}

/**
 * Checks that the segment's files exist and have the sizes in its seal. Reads no contents.
 * @throws LogDamaged if a file is missing or has a different size; the message contains the file name
 */
export async function assertFiles(directory: string, seal: Seal): Promise<void> {
  const paths = segmentPaths(directory, seal);
  for (const file of ['records', 'index'] as const) {
    try {
      const { size } = await stat(paths[file]);
      if (size !== seal[file].bytes) throw new Error(`the file has ${size} bytes instead of ${seal[file].bytes}`);
    } catch (error) {
      throw damagedFileError(paths[file], seal.first, error);
    }
  }
}

async function listNames(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

function indexOfPosition(segments: readonly Segment[], position: number): number {
  const index = segments.findIndex(({ seal }) => seal.last >= position);
  return index === -1 ? segments.length : index;
}

const DAY_MILLISECONDS = 86_400_000;

/**
 * Removes the files that interrupted runs left behind. No seal covers these files, and the live log still has their
 * events. Never removes a file that has a seal, or that the archive did not write.
 * @param tag the tag of this process, if several processes write to the directory. In that case, files of other
 *   processes are removed only when they are a day old, because this process may have been suspended while another
 *   process began to write files.
 */
async function removeUnsealed(directory: string, tag: string | undefined): Promise<void> {
  const names = await readdir(directory);
  const unsealedNames = names.filter((name) => isArchiveFile(name) && !names.includes(sealName(name)));
  const isOwnFile = (name: string): boolean => tag === undefined || name.includes(`.${tag}.`);
  const otherNames = unsealedNames.filter((name) => !isOwnFile(name));
  const now = otherNames.length === 0 ? 0 : await readFileSystemTime(directory, `probe.${tag}.new`);
  for (const name of unsealedNames) {
    const path = join(directory, name);
    if (isOwnFile(name) || now - (await stat(path)).mtimeMs > DAY_MILLISECONDS) await rm(path, { force: true });
  }
}

const SEGMENT_FILE = /^\d{16}-\d{16}(?:\.[0-9a-f-]+)?\.(?:jsonl\.gz|index)$/;
const DRAFT_FILE = /^(?:records|index|seal|probe)(?:\.[0-9a-f-]+)?\.new$/;

const isArchiveFile = (name: string): boolean => SEGMENT_FILE.test(name) || DRAFT_FILE.test(name);

const sealName = (name: string): string => name.replace(/\.(?:jsonl\.gz|index|new)$/, '.seal');

/** Returns the current time according to the clock of the directory's file system. */
async function readFileSystemTime(directory: string, name: string): Promise<number> {
  const path = join(directory, name);
  await writePrivateFile(path, []);
  const { mtimeMs } = await stat(path);
  await rm(path);
  return mtimeMs;
}
