import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/**
 * A snapshot is a header, which is one line of JSON, followed by frames. A frame is a projection's number (1 byte), a
 * length (4 bytes, little-endian) and that many bytes. The last frame has the number 255 and is empty. The header and
 * each frame are followed by a MAC: HMAC-SHA-256 of the previous MAC and the part itself. Thus, each part is verified
 * before the next is read, and no part can be removed, added or moved. Only the server has the key, so write access to
 * the disk is not enough to forge a token.
 */
export const SNAPSHOT_FORMAT = 'grantlog-snapshot';

/**
 * Increase this whenever a projection freezes different data, or derives its state from the events differently.
 * Snapshots of other versions are ignored, and the log is replayed instead.
 */
export const SNAPSHOT_VERSION = 17;

const MAC_BYTES = 32;
const FRAME_HEADER_BYTES = 5;
/** The number of the last frame. */
const END_FRAME = 255;
/** Far more than the size of any piece. Limits the memory that an unverified length can claim. */
const MAX_PIECE_BYTES = 268_435_456;
const MAX_HEADER_BYTES = 65_536;
const NEWLINE = 0x0a;

export interface SnapshotHeader {
  readonly format: typeof SNAPSHOT_FORMAT;
  readonly version: number;
  /** The position of the last event in the snapshot. */
  readonly position: number;
  /** The position of the event before that one. */
  readonly before: number;
  /** SHA-256 of the last event's record, base64url. Identifies the log. */
  readonly record: string;
  /** The latest time when an event in the snapshot was recorded, in milliseconds since the epoch. */
  readonly latest: number;
  /** The root of the Merkle tree of the snapshot's events, base64. */
  readonly root: string;
  /** The names of the projections, in the order of their numbers. */
  readonly projections: readonly string[];
}

/** A part of one projection's state. */
export interface SnapshotPiece {
  readonly projection: string;
  readonly bytes: Uint8Array;
}

/** The snapshot is damaged, was written by a different server or version, or does not belong to the log. */
export class UnusableSnapshot extends Error {
  override readonly name = 'UnusableSnapshot';
}

/** Encodes a snapshot, piece by piece, as it is consumed. */
export function* encodeSnapshot(
  header: SnapshotHeader,
  pieces: Iterable<SnapshotPiece>,
  key: KeyObject,
): Generator<Uint8Array, void, void> {
  const computeMac = createMacChain(key);
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  yield Buffer.concat([line, computeMac(line)]);
  for (const { projection, bytes } of pieces) {
    if (bytes.length > MAX_PIECE_BYTES)
      throw new RangeError(
        `a piece of ${projection} has ${bytes.length} bytes; at most ${MAX_PIECE_BYTES} are allowed`,
      );
    const frameHeader = encodeFrameHeader(header.projections.indexOf(projection), bytes.length);
    yield frameHeader;
    yield bytes;
    yield computeMac(frameHeader, bytes);
  }
  const end = encodeFrameHeader(END_FRAME, 0);
  yield Buffer.concat([end, computeMac(end)]);
}

/** A snapshot whose header was verified. */
export interface OpenSnapshot {
  readonly header: SnapshotHeader;
  /**
   * Yields the verified pieces, in order. Each piece is valid until the next is requested.
   * @throws UnusableSnapshot if the next piece is damaged or missing; also discard the earlier pieces
   */
  pieces(): AsyncGenerator<SnapshotPiece, void, void>;
  /** Stops reading. */
  close(): Promise<void>;
}

/**
 * Opens a snapshot and verifies its header.
 * @param chunks each needs to be valid only until the next is requested
 * @throws UnusableSnapshot if the header was not written with `key`, or was written by a different version
 */
export async function openSnapshot(chunks: AsyncIterable<Uint8Array>, key: KeyObject): Promise<OpenSnapshot> {
  const bytes = createByteReader(chunks);
  const computeMac = createMacChain(key);

  function verify(mac: Uint8Array, ...parts: readonly Uint8Array[]): void {
    if (!timingSafeEqual(mac, computeMac(...parts)))
      throw new UnusableSnapshot('it is damaged, or a different server wrote it');
  }

  async function* pieces(projections: readonly string[]): AsyncGenerator<SnapshotPiece, void, void> {
    for (;;) {
      // Copied, because the next read comes before verification.
      const frameHeader = Buffer.from(await bytes.take(FRAME_HEADER_BYTES));
      const [number, length] = [frameHeader.readUInt8(0), frameHeader.readUInt32LE(1)];
      if (length > MAX_PIECE_BYTES) throw new UnusableSnapshot('it is damaged: a piece is too long');
      const frame = await bytes.take(length + MAC_BYTES);
      const piece = frame.subarray(0, length);
      verify(frame.subarray(length), frameHeader, piece);
      if (number === END_FRAME) break;
      const projection = projections[number];
      if (projection === undefined) throw new UnusableSnapshot('it has a frame of an unknown projection');
      yield { projection, bytes: piece };
    }
    if (await bytes.hasMore()) throw new UnusableSnapshot('it has data after its last frame');
  }

  try {
    const line = await bytes.readLine();
    const header = parseHeader(line.toString('utf8'));
    verify(await bytes.take(MAC_BYTES), line);
    return { header, pieces: () => pieces(header.projections), close: bytes.close };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** Creates a function that computes the MACs of a snapshot's parts, in order. */
function createMacChain(key: KeyObject): (...parts: readonly Uint8Array[]) => Buffer {
  let previousMac: Buffer = Buffer.alloc(MAC_BYTES);
  return (...parts) => {
    const hmac = createHmac('sha256', key).update(previousMac);
    for (const part of parts) hmac.update(part);
    previousMac = hmac.digest();
    return previousMac;
  };
}

function encodeFrameHeader(number: number, length: number): Buffer {
  const frameHeader = Buffer.alloc(FRAME_HEADER_BYTES);
  frameHeader.writeUInt8(number, 0);
  frameHeader.writeUInt32LE(length, 1);
  return frameHeader;
}

function parseHeader(line: string): SnapshotHeader {
  const header = parseJson(line) as Partial<SnapshotHeader> | undefined;
  if (header?.format !== SNAPSHOT_FORMAT) throw new UnusableSnapshot('it is not a snapshot');
  if (header.version !== SNAPSHOT_VERSION)
    throw new UnusableSnapshot(
      `it has version ${Number(header.version)}, but this release reads version ${SNAPSHOT_VERSION}`,
    ); // the author is not verified yet
  return header as SnapshotHeader;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Creates a reader that takes pieces of any size from a stream of chunks. A piece is valid until the next read. */
function createByteReader(chunks: AsyncIterable<Uint8Array>) {
  const source = chunks[Symbol.asyncIterator]();
  let chunk: Buffer = Buffer.alloc(0);

  async function next(): Promise<boolean> {
    const { done, value } = await source.next();
    if (done === true) return false;
    chunk = Buffer.from(value.buffer, value.byteOffset, value.length);
    return true;
  }

  /** Joins a piece that spans chunks. Rare with large chunks. */
  async function takeAcrossChunks(length: number): Promise<Buffer> {
    const piece = Buffer.allocUnsafe(length);
    let filledBytes = chunk.copy(piece);
    while (filledBytes < length) {
      if (!(await next())) throw new UnusableSnapshot('it is truncated');
      const bytesCopied = chunk.copy(piece, filledBytes);
      chunk = chunk.subarray(bytesCopied);
      filledBytes += bytesCopied;
    }
    return piece;
  }

  async function take(length: number): Promise<Buffer> {
    if (chunk.length < length) return takeAcrossChunks(length);
    const bytes = chunk.subarray(0, length);
    chunk = chunk.subarray(length);
    return bytes;
  }

  return {
    take,
    async hasMore(): Promise<boolean> {
      while (chunk.length === 0) if (!(await next())) return false;
      return true;
    },
    /** Reads the first line, including its newline. */
    async readLine(): Promise<Buffer> {
      const parts: Buffer[] = [];
      for (let length = 0; ;) {
        if (chunk.length === 0 && !(await next())) break;
        const end = chunk.indexOf(NEWLINE);
        const part = Buffer.from(await take(end === -1 ? chunk.length : end + 1)); // the next chunk may overwrite it
        length += part.length;
        if (length > MAX_HEADER_BYTES) break;
        parts.push(part);
        if (end !== -1) return Buffer.concat(parts);
      }
      throw new UnusableSnapshot('it is not a snapshot');
    },
    close: async () => void (await source.return?.()),
  };
}
