import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LogDamaged, START } from '../event-log.ts';
import type { Position, RecordedEvent, Revision, StreamName } from '../event-log.ts';
import { checkSegment } from './check-segment.ts';
import { parseSeal, parseSealName, segmentPaths, type Seal } from './seal.ts';
import { createSegment, damagedFile, type Segment } from './segment.ts';
import { writeSegment, type DraftSegment } from './write-segment.ts';

/** The archived beginning of a log: stretches in files, without a gap from the first position on. */
export interface Archive {
  /** The last archived position, as far as there is no gap; START when nothing is archived. */
  end(): Position;
  /** What is wrong with the stretches at the first glance; what lies behind it is not read. */
  readonly problem: LogDamaged | undefined;
  /** @throws LogDamaged naming file and position */
  read(from: Position, to: Position): AsyncGenerator<readonly RecordedEvent[], void, void>;
  /** The archived events of a stream behind position `after`, in order, in pages. @throws LogDamaged */
  readStream(stream: StreamName, after: number): AsyncGenerator<readonly RecordedEvent[], void, void>;
  /** Those before position `before`, newest first. @throws LogDamaged */
  readStreamBackwards(stream: StreamName, before: number): AsyncGenerator<readonly RecordedEvent[], void, void>;
  /** The revision of a stream's last archived event; 0 when it has none. @throws LogDamaged */
  lastRevision(stream: StreamName): Promise<Revision | 0>;
  /** Writes the next stretch; it is part of the archive once it was `add`ed. */
  write(batches: AsyncIterable<readonly RecordedEvent[]>): Promise<DraftSegment | undefined>;
  /** Takes in a stretch that is published. */
  add(seal: Seal): void;
  check(signal: AbortSignal, pace?: () => Promise<void>): AsyncGenerator<LogDamaged, void, void>;
}

export type ReadableArchive = Pick<
  Archive,
  'end' | 'problem' | 'read' | 'readStream' | 'readStreamBackwards' | 'lastRevision'
>;

/** The archive of a log that has none and never will. */
export const NO_ARCHIVE: ReadableArchive = {
  end: () => START,
  problem: undefined,
  async *read() {},
  async *readStream() {},
  async *readStreamBackwards() {},
  lastRevision: async () => 0,
};

/** Looks at the names, the sizes and the seals of the files in `directory`, which need not be there; at no contents. */
export async function openArchive(directory: string): Promise<Archive> {
  const stretches: Segment[] = [];
  const problem = await findProblem(directory, (seal) => stretches.push(createSegment(directory, seal)));
  const end = (): Position => stretches.at(-1)?.seal.last ?? START;

  /** Until it is over, nobody knows whether the seal is there. */
  let isUnsure = false;

  async function publish(written: DraftSegment): Promise<void> {
    isUnsure = true;
    await written.publish();
    isUnsure = false;
  }

  function mustBeWhole(): void {
    if (problem !== undefined) throw problem;
  }

  /** The stretch with the stream's first event, looked for from the newest back: most streams live for a short time. */
  async function beginningOf(stream: StreamName): Promise<number> {
    for (let number = stretches.length - 1; number >= 0; number -= 1) {
      for await (const [oldest] of stretches[number]?.readStream(stream, START) ?? []) {
        if (oldest?.revision === 1) return number;
        break;
      }
    }
    return 0;
  }

  return {
    end,
    problem,

    async *read(from, to) {
      for (const stretch of stretches.slice(indexOfPosition(stretches, from))) {
        const { first, last } = stretch.seal;
        if (first > to) return;
        yield* stretch.read(Math.max(from, first) as Position, Math.min(to, last) as Position);
      }
    },

    async *readStream(stream, after) {
      mustBeWhole();
      const begin = after > START ? indexOfPosition(stretches, after + 1) : await beginningOf(stream);
      for (const stretch of stretches.slice(begin)) yield* stretch.readStream(stream, after);
    },

    async *readStreamBackwards(stream, before) {
      mustBeWhole();
      for (const stretch of stretches.toReversed()) {
        if (stretch.seal.first < before) yield* stretch.readStreamBackwards(stream, before);
      }
    },

    async lastRevision(stream) {
      mustBeWhole();
      for (const stretch of stretches.toReversed()) {
        for await (const [newest] of stretch.readStreamBackwards(stream, Infinity)) return newest?.revision ?? 0;
      }
      return 0;
    },

    async write(batches) {
      mustBeWhole();
      if (isUnsure)
        throw new Error(
          'an earlier archiving failed while it was sealed; start the server again, and what is on the disk tells how far it came',
        );
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await removeUnsealed(directory, stretches);
      const written = await writeSegment(directory, batches).catch(async (error: unknown) => {
        await removeUnsealed(directory, stretches); // a disk that is full has the room again
        throw error;
      });
      return written && { ...written, publish: () => publish(written) };
    },

    add(seal) {
      stretches.push(createSegment(directory, seal));
    },

    async *check(signal, pace) {
      for (const { seal } of stretches) {
        if (signal.aborted) return;
        yield* checkSegment(directory, seal, { pace });
      }
    },
  };
}

/** Hands on the seals in order; stops at the first thing that is not as it should be, and returns it. */
async function findProblem(directory: string, found: (seal: Seal) => void): Promise<LogDamaged | undefined> {
  let next = 1;
  for (const range of (await listNames(directory))
    .map(parseSealName)
    .filter((sealed) => sealed !== undefined)
    .toSorted((one, other) => one.first - other.first)) {
    const paths = segmentPaths(directory, range);
    if (range.first !== next) {
      return new LogDamaged(
        next as Position,
        range.first < next
          ? `${basename(paths.seal)} is of events that another archive file has`
          : `no archive file in ${directory} has the events up to position ${range.first - 1}`,
      );
    }
    let at = paths.seal;
    try {
      const seal = parseSeal(await readFile(paths.seal, 'utf8'), range);
      for (const file of ['records', 'index'] as const) {
        at = paths[file];
        const { size } = await stat(at);
        if (size !== seal[file].bytes) throw new Error(`it has ${size} bytes and should have ${seal[file].bytes}`);
      }
      found(seal);
    } catch (error) {
      return damagedFile(at, range.first, error);
    }
    next = range.last + 1;
  }
  return undefined;
}

async function listNames(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** What an interrupted archiving left: the log still has those events, and no seal speaks of the files. */
async function removeUnsealed(directory: string, stretches: readonly Segment[]): Promise<void> {
  const sealed = new Set(stretches.flatMap(({ seal }) => Object.values(segmentPaths(directory, seal))));
  for (const name of await listNames(directory)) {
    const path = join(directory, name);
    if (isArchiveFile(name) && !sealed.has(path)) await rm(path);
  }
}

/** Nothing that somebody else put there is touched. */
function isArchiveFile(name: string): boolean {
  return /^(?:\d{16}-\d{16}\.(?:jsonl\.gz|index)|(?:records|index|seal)\.new)$/.test(name);
}

function indexOfPosition(stretches: readonly Segment[], position: number): number {
  const at = stretches.findIndex(({ seal }) => seal.last >= position);
  return at === -1 ? stretches.length : at;
}
