import { createHash } from 'node:crypto';
import type { StreamName } from '../event-log.ts';

/**
 * The index of one archived segment: the offset of each gzip member in the record file, and the runs of each stream.
 * Numbers are big-endian.
 *
 *   "glindex1"   u32 members   u32 runs
 *   u64 per member: offset of the member; then a final u64: end of the last member
 *   u32 u32 per run: hash of the stream's name, number of records before the run; sorted
 *
 * A run is an unbroken series of events of one stream, regardless of how many appends wrote it, so the index can be
 * rebuilt from the records alone.
 */

/**
 * The number of records per gzip member. Larger members compress better, but each lookup decompresses a whole member,
 * and the first refresh of an archived grant looks up every rotation since the grant's latest summary.
 */
export const RECORDS_PER_MEMBER = 64;

const COUNT_BITS = 22;
const HASH_BITS = 30; // a double can represent a hash and a record count together exactly

/** The maximum number of records per segment. Limits the memory needed to build an index: 8 bytes per run. */
export const MAX_RECORDS_PER_SEGMENT = 2 ** COUNT_BITS;

const MAGIC = 'glindex1';
const HEADER_BYTES = 16;
const ENTRY_BYTES = 8;
const BUCKETS = 256;
const BUCKET_WIDTH = 2 ** (HASH_BITS + COUNT_BITS) / BUCKETS;

/**
 * The number of entries per read. Hashes are evenly distributed, so one read around the estimate of `lowerBound`
 * usually finds a stream's entries.
 */
const WINDOW_ENTRIES = 512;

/**
 * Hashes the name as JSON, because JSON escapes lone surrogates, which UTF-8 cannot represent. Different names may have
 * the same hash, so readers compare the stream names in the records.
 */
function hashStreamName(stream: StreamName): number {
  return createHash('sha256').update(JSON.stringify(stream)).digest().readUInt32BE(0) >>> (32 - HASH_BITS);
}

export interface IndexBuilder {
  /** Adds the next record, an event of `stream`. */
  addRecord(stream: StreamName): void;
  /** Adds the next member, which has a compressed size of `bytes` bytes. */
  addMember(bytes: number): void;
  /** Yields the index file in chunks that each take little time to compute. */
  chunks(): Generator<Buffer, void, void>;
}

export function createIndexBuilder(): IndexBuilder {
  const buckets: number[][] = Array.from({ length: BUCKETS }, () => []);
  const memberOffsets = [0];
  let records = 0;
  let runs = 0;
  let previousStream: StreamName | undefined;

  return {
    addRecord(stream) {
      if (stream !== previousStream) {
        const key = hashStreamName(stream) * 2 ** COUNT_BITS + records;
        buckets[Math.floor(key / BUCKET_WIDTH)]?.push(key);
        runs += 1;
        previousStream = stream;
      }
      records += 1;
    },
    addMember(bytes) {
      memberOffsets.push((memberOffsets.at(-1) ?? 0) + bytes);
    },
    *chunks() {
      const head = Buffer.alloc(HEADER_BYTES + memberOffsets.length * ENTRY_BYTES);
      head.write(MAGIC, 'latin1');
      head.writeUInt32BE(memberOffsets.length - 1, 8);
      head.writeUInt32BE(runs, 12);
      for (const [index, offset] of memberOffsets.entries())
        head.writeBigUInt64BE(BigInt(offset), HEADER_BYTES + index * ENTRY_BYTES);
      yield head;
      for (const bucket of buckets) yield encodeBucket(bucket);
    },
  };
}

function encodeBucket(bucket: readonly number[]): Buffer {
  const entries = Buffer.alloc(bucket.length * ENTRY_BYTES);
  for (const [index, key] of Float64Array.from(bucket).toSorted().entries()) {
    entries.writeUInt32BE(Math.floor(key / 2 ** COUNT_BITS), index * ENTRY_BYTES);
    entries.writeUInt32BE(key % 2 ** COUNT_BITS, index * ENTRY_BYTES + 4);
  }
  return entries;
}

/**
 * Reads `bytes` bytes of an index file at `offset`.
 * @throws Error if the file is too short
 */
export type ReadIndex = (offset: number, bytes: number) => Promise<Buffer>;

/**
 * Returns the offsets of the members from `first` up to, but not including, `end`, followed by the offset at which the
 * last of these members ends.
 * @throws Error if the offsets are not in ascending order
 */
export async function findMembers(read: ReadIndex, first: number, end: number): Promise<readonly number[]> {
  const bytes = await read(HEADER_BYTES + first * ENTRY_BYTES, (end - first + 1) * ENTRY_BYTES);
  const offsets = Array.from({ length: end - first + 1 }, (_, index) =>
    Number(bytes.readBigUInt64BE(index * ENTRY_BYTES)),
  );
  if (offsets.some((offset, index) => index > 0 && offset <= (offsets[index - 1] ?? 0)))
    throw new Error('the offsets are not in ascending order');
  return offsets;
}

/** Pages of runs: a stream can have too many runs for one array. */
type Pages = AsyncGenerator<readonly number[], void, void>;

/**
 * Yields the runs that may belong to `stream`, in order, each as the number of records before the run. Omits runs for
 * which this number is less than `from`.
 */
export async function* runsFrom(read: ReadIndex, stream: StreamName, from: number): Pages {
  const runs = await openRunTable(read);
  const [begin, end] = keyRange(stream);
  for (let index = await lowerBound(runs, begin + from); ; index += WINDOW_ENTRIES) {
    const keys = await runs.keys(index, Math.min(index + WINDOW_ENTRIES, runs.count));
    const runKeys = keys.filter((key) => key < end);
    if (runKeys.length > 0) yield runKeys.map((key) => key - begin);
    if (runKeys.length < WINDOW_ENTRIES) return;
  }
}

/** Like `runsFrom`, but in reverse order, and only the runs with fewer than `below` records before them. */
export async function* runsBelow(read: ReadIndex, stream: StreamName, below: number): Pages {
  const runs = await openRunTable(read);
  const [begin, end] = keyRange(stream);
  for (let index = await lowerBound(runs, Math.min(begin + below, end)); index > 0; index -= WINDOW_ENTRIES) {
    const keys = await runs.keys(Math.max(0, index - WINDOW_ENTRIES), index);
    const runKeys = keys.filter((key) => key >= begin);
    if (runKeys.length > 0) yield runKeys.map((key) => key - begin).toReversed();
    if (runKeys.length < WINDOW_ENTRIES) return;
  }
}

/** The entries of an index, each as one number: the hash in the high bits, the record count in the low bits. */
interface RunTable {
  readonly count: number;
  keys(from: number, to: number): Promise<readonly number[]>;
}

async function openRunTable(read: ReadIndex): Promise<RunTable> {
  const header = await read(0, HEADER_BYTES);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('the file is not an index');
  const begin = HEADER_BYTES + (header.readUInt32BE(8) + 1) * ENTRY_BYTES;
  return {
    count: header.readUInt32BE(12),
    async keys(from, to) {
      const entries = await read(begin + from * ENTRY_BYTES, (to - from) * ENTRY_BYTES);
      return Array.from(
        { length: to - from },
        (_, index) =>
          entries.readUInt32BE(index * ENTRY_BYTES) * 2 ** COUNT_BITS + entries.readUInt32BE(index * ENTRY_BYTES + 4),
      );
    },
  };
}

/** Returns the range of keys that runs of `stream` can have; `end` is exclusive. */
function keyRange(stream: StreamName): readonly [begin: number, end: number] {
  const begin = hashStreamName(stream) * 2 ** COUNT_BITS;
  return [begin, begin + 2 ** COUNT_BITS];
}

/** Returns the number of entries with a key below `key`. Starts at an estimate, then bisects. */
async function lowerBound({ count, keys }: RunTable, key: number): Promise<number> {
  let [low, high] = [0, count];
  let middle = Math.floor((key / 2 ** (HASH_BITS + COUNT_BITS)) * count);
  while (high - low > WINDOW_ENTRIES) {
    const from = Math.min(Math.max(low, middle - WINDOW_ENTRIES / 2), high - WINDOW_ENTRIES);
    const window = await keys(from, from + WINDOW_ENTRIES);
    const matchIndex = window.findIndex((candidate) => candidate >= key);
    if (matchIndex > 0) return from + matchIndex;
    if (matchIndex === 0) high = from;
    else low = from + WINDOW_ENTRIES;
    middle = Math.floor((low + high) / 2);
  }
  const matchIndex = (await keys(low, high)).findIndex((candidate) => candidate >= key);
  return matchIndex === -1 ? high : low + matchIndex;
}
