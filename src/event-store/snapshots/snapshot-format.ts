import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/**
 * A snapshot is a line of JSON, its header; then frames, each a projection's number (1 byte), a length (4 bytes,
 * little-endian) and that many bytes; the last has the number 255 and nothing in it. The header and each frame are followed by
 * their code, an HMAC-SHA-256 over the code before it and themselves: so each is read once and believed before the next is
 * read, and none can be left out, added or moved. The key is the server's: who can write to the disk and has no key cannot
 * make a token by writing a snapshot.
 */
export const SNAPSHOT_FORMAT = 'grantlog-snapshot';

/**
 * Counted up whenever what any projection freezes comes to mean something else, or follows from the
 * events in another way: older snapshots are then replayed away.
 */
export const SNAPSHOT_VERSION = 10;

const CODE_BYTES = 32;
const FRAME_HEADER_BYTES = 5;
/** The number of the frame that is the end. */
const END_FRAME = 255;
/** Far more than any piece has: a length that is not to be believed yet must not fill the memory. */
const MAX_PIECE_BYTES = 268_435_456;
const MAX_HEADER_BYTES = 65_536;
const NEWLINE = 0x0a;

export interface SnapshotHeader {
  readonly format: typeof SNAPSHOT_FORMAT;
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
export interface SnapshotPiece {
  readonly projection: string;
  readonly bytes: Uint8Array;
}

/** The snapshot is not to be believed. */
export class UnusableSnapshot extends Error {
  override readonly name = 'UnusableSnapshot';
}

/** The bytes of a snapshot, made as they are asked for. */
export function* encodeSnapshot(
  header: SnapshotHeader,
  pieces: Iterable<SnapshotPiece>,
  key: KeyObject,
): Generator<Uint8Array, void, void> {
  const codeOf = createCodeChain(key);
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  yield Buffer.concat([line, codeOf(line)]);
  for (const { projection, bytes } of pieces) {
    if (bytes.length > MAX_PIECE_BYTES) throw new RangeError(`a piece of ${projection} has ${bytes.length} bytes`);
    const head = encodeFrameHeader(header.projections.indexOf(projection), bytes.length);
    yield head;
    yield bytes;
    yield codeOf(head, bytes);
  }
  const end = encodeFrameHeader(END_FRAME, 0);
  yield Buffer.concat([end, codeOf(end)]);
}

/** A snapshot that is being read. */
export interface OpenSnapshot {
  readonly header: SnapshotHeader;
  /**
   * Its pieces, in order, each believed; good until the next is asked for.
   * @throws UnusableSnapshot what comes now was not written with the key, or is missing: what came before is not to be used either
   */
  pieces(): AsyncGenerator<SnapshotPiece, void, void>;
  /** The rest is not wanted. */
  close(): Promise<void>;
}

/**
 * @param chunks each need be good only until the next is asked for
 * @throws UnusableSnapshot its header was not written with `key`, or not by this release
 */
export async function openSnapshot(chunks: AsyncIterable<Uint8Array>, key: KeyObject): Promise<OpenSnapshot> {
  const bytes = createByteReader(chunks);
  const codeOf = createCodeChain(key);

  function mustBeCode(code: Uint8Array, ...of: readonly Uint8Array[]): void {
    if (!timingSafeEqual(code, codeOf(...of))) throw new UnusableSnapshot('it is damaged, or another server wrote it');
  }

  async function* pieces(projections: readonly string[]): AsyncGenerator<SnapshotPiece, void, void> {
    for (;;) {
      const head = Buffer.from(await bytes.take(FRAME_HEADER_BYTES)); // copied: the piece is taken before it is believed
      const [number, length] = [head.readUInt8(0), head.readUInt32LE(1)];
      if (length > MAX_PIECE_BYTES) throw new UnusableSnapshot('it is damaged: no piece is that long');
      const framed = await bytes.take(length + CODE_BYTES);
      const piece = framed.subarray(0, length);
      mustBeCode(framed.subarray(length), head, piece);
      if (number === END_FRAME) break;
      const projection = projections[number];
      if (projection === undefined) throw new UnusableSnapshot('it has a frame of no projection');
      yield { projection, bytes: piece };
    }
    if (await bytes.hasMore()) throw new UnusableSnapshot('it goes on after its end');
  }

  try {
    const line = await bytes.line();
    const header = parseHeader(line.toString('utf8'));
    mustBeCode(await bytes.take(CODE_BYTES), line);
    return { header, pieces: () => pieces(header.projections), close: bytes.close };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** The codes of a snapshot's parts, asked for one after the other. */
function createCodeChain(key: KeyObject): (...parts: readonly Uint8Array[]) => Buffer {
  let before: Buffer = Buffer.alloc(CODE_BYTES);
  return (...parts) => {
    const mac = createHmac('sha256', key).update(before);
    for (const part of parts) mac.update(part);
    before = mac.digest();
    return before;
  };
}

function encodeFrameHeader(number: number, length: number): Buffer {
  const head = Buffer.alloc(FRAME_HEADER_BYTES);
  head.writeUInt8(number, 0);
  head.writeUInt32LE(length, 1);
  return head;
}

function parseHeader(line: string): SnapshotHeader {
  const header = parseJson(line) as Partial<SnapshotHeader> | undefined;
  if (header?.format !== SNAPSHOT_FORMAT) throw new UnusableSnapshot('it is no snapshot');
  if (header.version !== SNAPSHOT_VERSION)
    throw new UnusableSnapshot(
      `it is of version ${Number(header.version)}, and this release reads version ${SNAPSHOT_VERSION}`,
    ); // whoever wrote it is not known yet
  return header as SnapshotHeader;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A stream of chunks, taken in other portions than it comes in; what is taken is good until something else is. */
function createByteReader(chunks: AsyncIterable<Uint8Array>) {
  const source = chunks[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function next(): Promise<boolean> {
    const { done, value } = await source.next();
    if (done === true) return false;
    held = Buffer.from(value.buffer, value.byteOffset, value.length);
    return true;
  }

  /** What lies in two chunks is put together: where chunks are large that is rare. */
  async function joined(length: number): Promise<Buffer> {
    const whole = Buffer.allocUnsafe(length);
    let filled = held.copy(whole);
    while (filled < length) {
      if (!(await next())) throw new UnusableSnapshot('it ends too early');
      const copied = held.copy(whole, filled);
      held = held.subarray(copied);
      filled += copied;
    }
    return whole;
  }

  async function take(length: number): Promise<Buffer> {
    if (held.length < length) return joined(length);
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  }

  return {
    take,
    /** Whether there is anything left. */
    async hasMore(): Promise<boolean> {
      while (held.length === 0) if (!(await next())) return false;
      return true;
    },
    /** With its end. */
    async line(): Promise<Buffer> {
      const parts: Buffer[] = [];
      for (let length = 0; ;) {
        if (held.length === 0 && !(await next())) break;
        const end = held.indexOf(NEWLINE);
        const part = Buffer.from(await take(end === -1 ? held.length : end + 1)); // the next chunk may come in its place
        length += part.length;
        if (length > MAX_HEADER_BYTES) break;
        parts.push(part);
        if (end !== -1) return Buffer.concat(parts);
      }
      throw new UnusableSnapshot('it is no snapshot');
    },
    close: async () => void (await source.return?.()),
  };
}
