import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { LogDamaged } from '../event-log.ts';
import type { Position, RecordedEvent, StreamName } from '../event-log.ts';
import { decodeRecord } from '../record.ts';
import { readExactly } from './private-file.ts';
import { readEvents, readEventsBackwards, type SegmentRuns } from './runs.ts';
import { segmentPaths, type Seal } from './seal.ts';
import { findMembers, RECORDS_PER_MEMBER, runsBelow, runsFrom, type ReadIndex } from './segment-index.ts';

const decompress = promisify(gunzip);

/**
 * The number of members read and decompressed together: 2,048 records, few enough to decode without blocking the event
 * loop for long.
 */
const MEMBERS_PER_READ = 32;

/** An archived segment, read on demand. Memory use does not depend on the size of the segment. */
export interface Segment {
  readonly seal: Seal;
  /**
   * Reads the events from position `from` to position `to`, both in this segment, in batches.
   * @throws LogDamaged if a file is damaged; the message contains the position
   */
  read(from: Position, to: Position): Pages;
  /**
   * Reads the stream's events in this segment after position `after`, oldest first, in pages.
   * @throws LogDamaged if a file is damaged
   */
  readStream(stream: StreamName, after: number): Pages;
  /**
   * Reads the stream's events in this segment before position `before`, newest first, in pages.
   * @throws LogDamaged if a file is damaged
   */
  readStreamBackwards(stream: StreamName, before: number): Pages;
}

interface OpenFiles {
  readonly records: FileHandle;
  readonly index: FileHandle;
}

type Pages = AsyncGenerator<readonly RecordedEvent[], void, void>;

export function createSegment(directory: string, seal: Seal): Segment {
  const { first, last } = seal;
  const paths = segmentPaths(directory, seal);

  async function openFiles(): Promise<OpenFiles> {
    const records = await reportDamage(paths.records, first, () => open(paths.records, 'r'));
    try {
      return { records, index: await reportDamage(paths.index, first, () => open(paths.index, 'r')) };
    } catch (error) {
      await records.close();
      throw error;
    }
  }

  const positionOf = (member: number): number => first + member * RECORDS_PER_MEMBER;
  const memberOf = (position: number): number => Math.floor((position - first) / RECORDS_PER_MEMBER);

  /** Returns the lines of the members from `from` up to, but not including, `end`, grouped by member. */
  async function readMembers(
    { records, index }: OpenFiles,
    from: number,
    end: number,
  ): Promise<readonly (readonly string[])[]> {
    const offsets = await reportDamage(paths.index, positionOf(from), () =>
      findMembers((offset, bytes) => readExactly(index, offset, bytes), from, end),
    );
    const [begin = 0] = offsets;
    const size = (offsets.at(-1) ?? 0) - begin;
    if (begin + size > seal.records.bytes)
      throw damagedFileError(paths.index, positionOf(from), new Error('a member extends past the end of the records'));
    const bytes = await reportDamage(paths.records, positionOf(from), () => readExactly(records, begin, size));
    return Promise.all(
      offsets.slice(1).map((offset, memberIndex) => {
        const member = from + memberIndex;
        return reportDamage(paths.records, positionOf(member), () =>
          decompressLines(bytes.subarray((offsets[memberIndex] ?? 0) - begin, offset - begin), member),
        );
      }),
    );
  }

  async function decompressLines(bytes: Buffer, member: number): Promise<readonly string[]> {
    const lines = (await decompress(bytes)).toString('utf8').split('\n');
    const expectedCount = Math.min(RECORDS_PER_MEMBER, last - positionOf(member) + 1);
    if (lines.pop() !== '' || lines.length !== expectedCount)
      throw new Error(`a member does not have the expected ${expectedCount} records`);
    return lines;
  }

  async function* read(from: Position, to: Position): Pages {
    const files = await openFiles();
    try {
      for (let member = memberOf(from); positionOf(member) <= to; member += MEMBERS_PER_READ) {
        const end = Math.min(member + MEMBERS_PER_READ, memberOf(last) + 1);
        const lines = (await readMembers(files, member, end)).flat();
        yield decodeLines(lines, positionOf(member), from, to);
      }
    } finally {
      await closeFiles(files);
    }
  }

  /** Yields the pages of `readRuns`. Keeps the files open until the consumer has finished reading. */
  async function* withRuns(readRuns: (segment: SegmentRuns) => Pages): Pages {
    const files = await openFiles();
    const readIndex: ReadIndex = (offset, bytes) => readExactly(files.index, offset, bytes);
    try {
      yield* readRuns({
        first,
        last,
        readEvent: createEventReader(files),
        runsFrom: (stream, from) => reportIndexDamage(runsFrom(readIndex, stream, from)),
        runsBelow: (stream, below) => reportIndexDamage(runsBelow(readIndex, stream, below)),
      });
    } finally {
      await closeFiles(files);
    }
  }

  /**
   * Returns a function that reads single events. The function caches the last member that it read, because the next
   * event is usually in the same member.
   */
  function createEventReader(files: OpenFiles): SegmentRuns['readEvent'] {
    let lines: readonly string[] = [];
    let loadedMember = -1;
    return async (position) => {
      const member = memberOf(position);
      if (member !== loadedMember) {
        [lines = []] = await readMembers(files, member, member + 1);
        loadedMember = member;
      }
      return decodeRecord(lines[position - positionOf(member)] ?? '', position as Position);
    };
  }

  /** Yields `pages`. Turns errors that indicate a damaged index into `LogDamaged`. */
  async function* reportIndexDamage<Page>(pages: AsyncGenerator<Page, void, void>): AsyncGenerator<Page, void, void> {
    for (;;) {
      const page = await reportDamage(paths.index, first, () => pages.next());
      if (page.done === true) return;
      yield page.value;
    }
  }

  return {
    seal,
    read,
    readStream: (stream, after) => withRuns((runs) => readEvents(runs, stream, after)),
    readStreamBackwards: (stream, before) => withRuns((runs) => readEventsBackwards(runs, stream, before)),
  };
}

function decodeLines(lines: readonly string[], first: number, from: Position, to: Position): readonly RecordedEvent[] {
  const events: RecordedEvent[] = [];
  const end = Math.min(to, first + lines.length - 1);
  for (let position = Math.max(from, first); position <= end; position += 1) {
    events.push(decodeRecord(lines[position - first] ?? '', position as Position));
  }
  return events;
}

async function closeFiles({ records, index }: OpenFiles): Promise<void> {
  await records.close();
  await index.close();
}

/**
 * Returns the result of `read`. Turns errors that indicate a damaged file into `LogDamaged`, and rethrows all others.
 */
async function reportDamage<Result>(path: string, position: number, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw isDamage(error) ? damagedFileError(path, position, error) : error;
  }
}

/** Reports whether the error means that a file is damaged or missing, unlike errors such as too many open files. */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code === '' || code === 'ENOENT' || /^(Z|ERR_)/.test(code);
}

export function damagedFileError(path: string, position: number, cause: unknown): LogDamaged {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new LogDamaged(position as Position, `the archive file ${basename(path)} is damaged or missing (${reason})`, {
    cause,
  });
}
