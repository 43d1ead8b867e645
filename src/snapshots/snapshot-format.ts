import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/**
 * A snapshot is a line of JSON, its header; then frames, each a projection's number (1 byte), a length
 * (4 bytes, little-endian) and that many bytes; then an HMAC-SHA-256 over all before it. The key is the
 * server's: who can write to the disk and has no key cannot make a token by writing a snapshot.
 */
export const FORMAT = 'grantlog-snapshot';

/**
 * Counted up whenever what any projection freezes comes to mean something else, or follows from the
 * events in another way: older snapshots are then replayed away.
 */
export const VERSION = 4;

const MAC_BYTES = 32;
const FRAME_HEAD_BYTES = 5;
const MAX_HEADER_BYTES = 65_536;
const NEWLINE = 0x0a;

export interface SnapshotHeader {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** The position of the last event in it. */
  readonly position: number;
  /** The position of the event before that one. */
  readonly before: number;
  /** SHA-256 of the last event's record, base64url: says of which log it is. */
  readonly record: string;
  /** The latest time at which one of its events was recorded, in milliseconds since the epoch. */
  readonly latest: number;
  /** The root of the tree over its events, base64. */
  readonly root: string;
  /** Names of projections, in the order of their numbers. */
  readonly projections: readonly string[];
}

/** A piece of what one projection held. */
export interface Piece {
  readonly projection: string;
  readonly bytes: Uint8Array;
}

/** The snapshot is not to be believed. */
export class UnusableSnapshot extends Error {
  override readonly name = 'UnusableSnapshot';
}

/** The bytes of a snapshot, made as they are asked for. */
export function* encodeSnapshot(header: SnapshotHeader, pieces: Iterable<Piece>, key: KeyObject): Generator<Uint8Array, void, void> {
  const mac = createHmac('sha256', key);
  const sealed = (chunk: Uint8Array): Uint8Array => {
    mac.update(chunk);
    return chunk;
  };
  yield sealed(Buffer.from(`${JSON.stringify(header)}\n`));
  for (const { projection, bytes } of pieces) {
    const head = Buffer.alloc(FRAME_HEAD_BYTES);
    head.writeUInt8(header.projections.indexOf(projection), 0);
    head.writeUInt32LE(bytes.length, 1);
    yield sealed(head);
    yield sealed(bytes);
  }
  yield mac.digest();
}

/** Reads all of it once and believes nothing before. @throws UnusableSnapshot it was not written with `key`, or is not whole */
export async function verifySnapshot(chunks: AsyncIterable<Uint8Array>, key: KeyObject): Promise<void> {
  const mac = createHmac('sha256', key);
  /** The last bytes so far: they may be the code itself. */
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([tail, chunk]);
    const end = Math.max(0, bytes.length - MAC_BYTES);
    mac.update(bytes.subarray(0, end));
    tail = bytes.subarray(end);
  }
  const expected = mac.digest();
  if (tail.length !== MAC_BYTES || !timingSafeEqual(tail, expected)) throw new UnusableSnapshot('it is damaged, or another server wrote it');
}

/** What a verified snapshot begins with. @throws UnusableSnapshot it is none of this release's */
export async function readHeader(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotHeader> {
  const bytes = sequence(chunks);
  try {
    return headerOf(await bytes.line());
  } finally {
    await bytes.close();
  }
}

/** The pieces of a verified snapshot, in order; each may share its memory with the next. */
export async function* readPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece, void, void> {
  const bytes = sequence(chunks);
  const { projections } = headerOf(await bytes.line());
  while (await bytes.has(FRAME_HEAD_BYTES + MAC_BYTES)) {
    const head = await bytes.take(FRAME_HEAD_BYTES);
    const projection = projections[head.readUInt8(0)];
    if (projection === undefined) throw new UnusableSnapshot('it has a frame of no projection');
    yield { projection, bytes: await bytes.take(head.readUInt32LE(1)) };
  }
}

function headerOf(line: string): SnapshotHeader {
  const header = parse(line) as Partial<SnapshotHeader> | undefined;
  if (header?.format !== FORMAT) throw new UnusableSnapshot('it is no snapshot');
  if (header.version !== VERSION) throw new UnusableSnapshot(`it is of version ${header.version}, and this release reads version ${VERSION}`);
  return header as SnapshotHeader;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A stream of chunks, taken in other portions than it comes in. */
function sequence(chunks: AsyncIterable<Uint8Array>) {
  const source = chunks[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const { done, value } = await source.next();
    if (done === true) return false;
    held = held.length === 0 ? Buffer.from(value.buffer, value.byteOffset, value.length) : Buffer.concat([held, value]);
    return true;
  }

  async function has(length: number): Promise<boolean> {
    while (held.length < length) if (!(await more())) return false;
    return true;
  }

  return {
    has,
    /** The rest is not wanted. */
    close: async () => void (await source.return?.()),
    async take(length: number): Promise<Buffer> {
      if (!(await has(length))) throw new UnusableSnapshot('it ends too early');
      const taken = held.subarray(0, length);
      held = held.subarray(length);
      return taken;
    },
    async line(): Promise<string> {
      let end = held.indexOf(NEWLINE);
      while (end === -1 && held.length < MAX_HEADER_BYTES && (await more())) end = held.indexOf(NEWLINE);
      if (end === -1) throw new UnusableSnapshot('it is no snapshot');
      const line = held.subarray(0, end).toString('utf8');
      held = held.subarray(end + 1);
      return line;
    },
  };
}
