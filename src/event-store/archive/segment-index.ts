import { createHash } from 'node:crypto';
import type { StreamName } from '../event-log.ts';

/**
 * The index of one archived stretch: where in its record file each member begins, and where each stream's
 * events are. Numbers are big-endian.
 *
 *   "glindex1"   u32 members   u32 runs
 *   u64 for each member: where it begins; and one more: where the last one ends
 *   u32 u32 for each run: a hash of the stream's name, and how many records stand before the run's first; sorted
 *
 * A run is events of one stream that stand next to each other, so the index follows from the records alone.
 */

/**
 * Records in each gzip member: one look-up decompresses that many. The first refresh of an archived grant looks up each
 * rotation since its newest summary; four times as many would be 7 % smaller, and four times as slow to ask.
 */
export const MEMBER_RECORDS = 64;

const OFFSET_BITS = 22;
const HASH_BITS = 30; // with the offset it fits a double exactly, so that an array of them is sorted fast

/** Bounds the memory that making an index takes: eight bytes a run. */
export const SEGMENT_RECORDS = 2 ** OFFSET_BITS;

const MAGIC = 'glindex1';
const HEADER_BYTES = 16;
const ENTRY_BYTES = 8;
const BUCKETS = 256;
const BUCKET_WIDTH = 2 ** (HASH_BITS + OFFSET_BITS) / BUCKETS;

/** Entries read at once: hashes are spread evenly, so a stream's are nearly always among those around its guess. */
const WINDOW_ENTRIES = 512;

/** Names are written as JSON, which escapes what UTF-8 would mangle. Two names may share a hash: the records tell. */
function hashStreamName(stream: StreamName): number {
  return createHash('sha256').update(JSON.stringify(stream)).digest().readUInt32BE(0) >>> (32 - HASH_BITS);
}

export interface IndexBuilder {
  /** The next record is of this stream. */
  addRecord(stream: StreamName): void;
  /** The records since the last member are in one of so many bytes. */
  addMember(bytes: number): void;
  /** The index file, in pieces that each take little time to make. */
  chunks(): Generator<Buffer, void, void>;
}

export function createIndexBuilder(): IndexBuilder {
  const buckets: number[][] = Array.from({ length: BUCKETS }, () => []);
  const members = [0];
  let records = 0;
  let runs = 0;
  let previous: StreamName | undefined;

  return {
    addRecord(stream) {
      if (stream !== previous) {
        const key = hashStreamName(stream) * 2 ** OFFSET_BITS + records;
        buckets[Math.floor(key / BUCKET_WIDTH)]?.push(key);
        runs += 1;
        previous = stream;
      }
      records += 1;
    },
    addMember(bytes) {
      members.push((members.at(-1) ?? 0) + bytes);
    },
    *chunks() {
      const head = Buffer.alloc(HEADER_BYTES + members.length * ENTRY_BYTES);
      head.write(MAGIC, 'latin1');
      head.writeUInt32BE(members.length - 1, 8);
      head.writeUInt32BE(runs, 12);
      for (const [at, offset] of members.entries())
        head.writeBigUInt64BE(BigInt(offset), HEADER_BYTES + at * ENTRY_BYTES);
      yield head;
      for (const bucket of buckets) yield encodeBucket(bucket);
    },
  };
}

function encodeBucket(bucket: readonly number[]): Buffer {
  const entries = Buffer.alloc(bucket.length * ENTRY_BYTES);
  for (const [at, key] of Float64Array.from(bucket).toSorted().entries()) {
    entries.writeUInt32BE(Math.floor(key / 2 ** OFFSET_BITS), at * ENTRY_BYTES);
    entries.writeUInt32BE(key % 2 ** OFFSET_BITS, at * ENTRY_BYTES + 4);
  }
  return entries;
}

/** Reads bytes of an index file: exactly so many, or it throws. */
export type ReadIndex = (at: number, bytes: number) => Promise<Buffer>;

/** Where the members from `first` up to and without `end` begin, and where the last of them ends. */
export async function findMembers(read: ReadIndex, first: number, end: number): Promise<readonly number[]> {
  const bytes = await read(HEADER_BYTES + first * ENTRY_BYTES, (end - first + 1) * ENTRY_BYTES);
  const offsets = Array.from({ length: end - first + 1 }, (_, at) => Number(bytes.readBigUInt64BE(at * ENTRY_BYTES)));
  if (offsets.some((offset, at) => at > 0 && offset <= (offsets[at - 1] ?? 0)))
    throw new Error('its members do not follow each other');
  return offsets;
}

/** In pages, since a stream can have any number of runs. */
type Pages = AsyncGenerator<readonly number[], void, void>;

/** How many records stand before each run of a stream that may be `stream`: `from` or more, in order. */
export async function* runsFrom(read: ReadIndex, stream: StreamName, from: number): Pages {
  const runs = await openRunTable(read);
  const [begin, end] = keyRange(stream);
  for (let at = await lowerBound(runs, begin + from); ; at += WINDOW_ENTRIES) {
    const keys = await runs.keys(at, Math.min(at + WINDOW_ENTRIES, runs.count));
    const found = keys.filter((key) => key < end);
    if (found.length > 0) yield found.map((key) => key - begin);
    if (found.length < WINDOW_ENTRIES) return;
  }
}

/** The same for those with fewer than `below` records before them, from the last one back. */
export async function* runsBelow(read: ReadIndex, stream: StreamName, below: number): Pages {
  const runs = await openRunTable(read);
  const [begin, end] = keyRange(stream);
  for (let at = await lowerBound(runs, Math.min(begin + below, end)); at > 0; at -= WINDOW_ENTRIES) {
    const keys = await runs.keys(Math.max(0, at - WINDOW_ENTRIES), at);
    const found = keys.filter((key) => key >= begin);
    if (found.length > 0) yield found.map((key) => key - begin).toReversed();
    if (found.length < WINDOW_ENTRIES) return;
  }
}

/** The entries of an index, each as one number: the hash above, the records before the run below. */
interface RunTable {
  readonly count: number;
  keys(from: number, to: number): Promise<readonly number[]>;
}

async function openRunTable(read: ReadIndex): Promise<RunTable> {
  const header = await read(0, HEADER_BYTES);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('it is not an index');
  const begin = HEADER_BYTES + (header.readUInt32BE(8) + 1) * ENTRY_BYTES;
  return {
    count: header.readUInt32BE(12),
    async keys(from, to) {
      const entries = await read(begin + from * ENTRY_BYTES, (to - from) * ENTRY_BYTES);
      return Array.from(
        { length: to - from },
        (_, at) =>
          entries.readUInt32BE(at * ENTRY_BYTES) * 2 ** OFFSET_BITS + entries.readUInt32BE(at * ENTRY_BYTES + 4),
      );
    },
  };
}

/** The least key that a run of `stream` can have, and the least above all of them. */
function keyRange(stream: StreamName): readonly [begin: number, end: number] {
  const begin = hashStreamName(stream) * 2 ** OFFSET_BITS;
  return [begin, begin + 2 ** OFFSET_BITS];
}

/** How many entries have a key below `key`. Guessed first, then searched for by halves. */
async function lowerBound({ count, keys }: RunTable, key: number): Promise<number> {
  let [low, high] = [0, count];
  let middle = Math.floor((key / 2 ** (HASH_BITS + OFFSET_BITS)) * count);
  while (high - low > WINDOW_ENTRIES) {
    const from = Math.min(Math.max(low, middle - WINDOW_ENTRIES / 2), high - WINDOW_ENTRIES);
    const window = await keys(from, from + WINDOW_ENTRIES);
    const found = window.findIndex((each) => each >= key);
    if (found > 0) return from + found;
    if (found === 0) high = from;
    else low = from + WINDOW_ENTRIES;
    middle = Math.floor((low + high) / 2);
  }
  const found = (await keys(low, high)).findIndex((each) => each >= key);
  return found === -1 ? high : low + found;
}
