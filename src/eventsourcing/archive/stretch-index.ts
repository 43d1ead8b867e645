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
 * Records in each gzip member: one look-up decompresses that many. A refresh of an archived grant looks up
 * each rotation; four times as many would be 7 % smaller, and four times as slow to ask.
 */
export const MEMBER_RECORDS = 64;

const OFFSET_BITS = 22;
const HASH_BITS = 30; // with the offset it fits a double exactly, so that an array of them is sorted fast

/** Bounds the memory that making an index takes: eight bytes a run. */
export const STRETCH_RECORDS = 2 ** OFFSET_BITS;

const MAGIC = 'glindex1';
const HEADER_BYTES = 16;
const ENTRY_BYTES = 8;
const BUCKETS = 256;
const BUCKET_WIDTH = 2 ** (HASH_BITS + OFFSET_BITS) / BUCKETS;

/** Entries that a look-up reads on each side of where the hash should be: hashes are spread evenly. */
const FIRST_REACH = 256;

/** Names are written as JSON, which escapes what UTF-8 would mangle. Two names may share a hash: the records tell. */
function hashOf(stream: StreamName): number {
  return createHash('sha256').update(JSON.stringify(stream)).digest().readUInt32BE(0) >>> (32 - HASH_BITS);
}

export interface IndexBuilder {
  /** The next record is of this stream. */
  record(stream: StreamName): void;
  /** The records since the last member are in one of so many bytes. */
  member(bytes: number): void;
  /** The index file, in pieces that each take little time to make. */
  pieces(): Generator<Buffer, void, void>;
}

export function createIndexBuilder(): IndexBuilder {
  const buckets: number[][] = Array.from({ length: BUCKETS }, () => []);
  const members = [0];
  let records = 0;
  let runs = 0;
  let previous: StreamName | undefined;

  return {
    record(stream) {
      if (stream !== previous) {
        const key = hashOf(stream) * 2 ** OFFSET_BITS + records;
        buckets[Math.floor(key / BUCKET_WIDTH)]?.push(key);
        runs += 1;
        previous = stream;
      }
      records += 1;
    },
    member(bytes) {
      members.push((members.at(-1) ?? 0) + bytes);
    },
    *pieces() {
      const head = Buffer.alloc(HEADER_BYTES + members.length * ENTRY_BYTES);
      head.write(MAGIC, 'latin1');
      head.writeUInt32BE(members.length - 1, 8);
      head.writeUInt32BE(runs, 12);
      for (const [at, offset] of members.entries()) head.writeBigUInt64BE(BigInt(offset), HEADER_BYTES + at * ENTRY_BYTES);
      yield head;
      for (const bucket of buckets) yield entriesOf(bucket);
    },
  };
}

function entriesOf(bucket: readonly number[]): Buffer {
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
  if (offsets.some((offset, at) => at > 0 && offset <= (offsets[at - 1] ?? 0))) throw new Error('its members do not follow each other');
  return offsets;
}

/** How many records stand before each run of a stream that may be `stream`, in order. */
export async function findRuns(read: ReadIndex, stream: StreamName): Promise<readonly number[]> {
  const header = await read(0, HEADER_BYTES);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('it is not an index');
  const begin = HEADER_BYTES + (header.readUInt32BE(8) + 1) * ENTRY_BYTES;
  const runs = header.readUInt32BE(12);
  const wanted = hashOf(stream);
  const guess = Math.floor((wanted / 2 ** HASH_BITS) * runs);
  for (let reach = FIRST_REACH; ; reach *= 2) {
    const from = Math.max(0, guess - reach);
    const to = Math.min(runs, guess + reach);
    const entries = await read(begin + from * ENTRY_BYTES, (to - from) * ENTRY_BYTES);
    const hashAt = (at: number): number => entries.readUInt32BE((at - from) * ENTRY_BYTES);
    const isComplete = from === to || ((from === 0 || hashAt(from) < wanted) && (to === runs || hashAt(to - 1) > wanted));
    if (isComplete) return offsetsOf(entries, wanted);
  }
}

function offsetsOf(entries: Buffer, wanted: number): readonly number[] {
  const offsets: number[] = [];
  for (let at = 0; at < entries.length; at += ENTRY_BYTES) {
    if (entries.readUInt32BE(at) === wanted) offsets.push(entries.readUInt32BE(at + 4));
  }
  return offsets;
}
