import { open, type FileHandle } from 'node:fs/promises';
import { readExactly } from '../archive/private-file.ts';
import { crc32c } from './crc32c.ts';
import { createCursor, type BlockHandle } from './level-cursor.ts';
import { unmaskChecksum } from './level-wal.ts';
import { decompressSnappy } from './snappy.ts';

/**
 * Reads LevelDB's tables (doc/table_format.md in LevelDB): blocks, each with a checksum, then an index of the blocks,
 * and a footer that points to the index. LevelDB itself verifies checksums only on request, and Node's binding cannot
 * request it.
 */

const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
const TRAILER_BYTES = 5;

/** A block with an incorrect checksum, or, at offset 0, a table without a valid footer. */
export interface TableDamage {
  readonly offset: number;
  /**
   * A key between the last key of the previous block and the first one of this block, or undefined for the first block
   * and for blocks other than data blocks.
   */
  readonly precedingKey: string | undefined;
}

/** Small enough to read and check without blocking the event loop for long. */
const BYTES_PER_CHUNK = 131_072;

/**
 * Reads the whole table at `path` and yields the damaged blocks. Stops if its footer, its index or its metaindex is
 * damaged.
 * @param pace awaited after each chunk
 */
export async function* checkTable(path: string, pace: () => Promise<void>): AsyncGenerator<TableDamage, void, void> {
  const file = await open(path, 'r');
  try {
    const footer = await readFooter(file);
    if (footer === undefined) return yield { offset: 0, precedingKey: undefined };
    for (const handle of [footer.index, footer.meta]) {
      if ((await readBlock(file, handle)) === undefined)
        return yield { offset: handle.offset, precedingKey: undefined };
    }
    for (const { handle } of await readEntries(file, footer.meta)) {
      if ((await readBlock(file, handle)) === undefined) yield { offset: handle.offset, precedingKey: undefined };
    }
    const blocks = await readEntries(file, footer.index);
    for (let from = 0; from < blocks.length;) {
      const to = endOfChunk(blocks, from);
      yield* checkBlocks(file, blocks.slice(from, to), blocks[from - 1]?.key);
      from = to;
      await pace();
    }
  } finally {
    await file.close();
  }
}

interface Entry {
  readonly key: string;
  readonly handle: BlockHandle;
}

/** Returns the index after a series of blocks that starts at `from` and has about `BYTES_PER_PIECE` bytes. */
function endOfChunk(blocks: readonly Entry[], from: number): number {
  const begin = blocks[from]?.handle.offset ?? 0;
  const nextIndex = blocks.findIndex(({ handle }, index) => index > from && handle.offset - begin >= BYTES_PER_CHUNK);
  return nextIndex === -1 ? blocks.length : nextIndex;
}

/**
 * Yields the damaged blocks among `blocks`.
 * @param previousKey the index key of the block before the first one
 */
async function* checkBlocks(
  file: FileHandle,
  blocks: readonly Entry[],
  previousKey: string | undefined,
): AsyncGenerator<TableDamage, void, void> {
  const [first, last] = [blocks[0]?.handle, blocks.at(-1)?.handle];
  if (first === undefined || last === undefined) return;
  const chunk = await readOrEmpty(file, first.offset, last.offset + last.size + TRAILER_BYTES - first.offset);
  let precedingKey = previousKey;
  for (const {
    key,
    handle: { offset, size },
  } of blocks) {
    const begin = offset - first.offset;
    if (verifyBlock(chunk.subarray(begin, begin + size + TRAILER_BYTES)) === undefined) yield { offset, precedingKey };
    precedingKey = key;
  }
}

interface Footer {
  readonly meta: BlockHandle;
  readonly index: BlockHandle;
}

async function readFooter(file: FileHandle): Promise<Footer | undefined> {
  const { size } = await file.stat();
  const footer = await readOrEmpty(file, Math.max(0, size - FOOTER_BYTES), FOOTER_BYTES);
  if (footer.length < FOOTER_BYTES || footer.readBigUInt64LE(FOOTER_BYTES - 8) !== MAGIC) return undefined;
  const handles = createCursor(footer);
  return { meta: handles.handle(), index: handles.handle() };
}

/** Reads `bytes` bytes at `offset`. Returns an empty buffer if the file is too short. */
async function readOrEmpty(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const { size } = await file.stat();
  return offset + bytes > size ? Buffer.alloc(0) : readExactly(file, offset, bytes);
}

/** Returns a block with its compression byte, or undefined if it is damaged. */
async function readBlock(file: FileHandle, { offset, size }: BlockHandle): Promise<Buffer | undefined> {
  return verifyBlock(await readOrEmpty(file, offset, size + TRAILER_BYTES));
}

function verifyBlock(bytes: Buffer): Buffer | undefined {
  if (bytes.length < TRAILER_BYTES) return undefined;
  const block = bytes.subarray(0, -4);
  return crc32c(block) === unmaskChecksum(bytes.readUInt32LE(block.length)) ? block : undefined;
}

/** Returns the keys and block handles in an index or metaindex block. */
async function readEntries(file: FileHandle, handle: BlockHandle): Promise<readonly Entry[]> {
  const entries = parseEntries((await readBlock(file, handle)) ?? Buffer.alloc(1));
  return entries.map(({ key, value }) => ({ key: key.toString('latin1'), handle: createCursor(value).handle() }));
}

interface RawEntry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/**
 * Decodes the entries of a block.
 * @param storedBlock a block with its compression byte
 */
function parseEntries(storedBlock: Buffer): readonly RawEntry[] {
  const isCompressed = storedBlock.at(-1) === 1;
  const block = isCompressed ? decompressSnappy(storedBlock.subarray(0, -1)) : storedBlock.subarray(0, -1);
  const restartCount = block.readUInt32LE(block.length - 4);
  const cursor = createCursor(block);
  const entries: RawEntry[] = [];
  let key: Buffer = Buffer.alloc(0);
  while (cursor.offset() < block.length - 4 * (restartCount + 1)) {
    const [sharedBytes, unsharedBytes, valueBytes] = [cursor.varint(), cursor.varint(), cursor.varint()];
    key = Buffer.concat([key.subarray(0, sharedBytes), cursor.bytes(unsharedBytes)]);
    entries.push({ key, value: cursor.bytes(valueBytes) });
  }
  return entries;
}

/** A key in a table ends with its sequence number and its type: 1 for a put, 0 for a deletion. */
const KEY_TRAILER_BYTES = 8;

/** Returns the key without its trailer. */
export const userKey = (key: Buffer): string => key.toString('latin1', 0, key.length - KEY_TRAILER_BYTES);

const isPut = (key: Buffer): boolean => key[key.length - KEY_TRAILER_BYTES] === 1;

/**
 * Returns the last entry with a key below `bound` in the table at `path`, or undefined if no entry matches or the match
 * is a deletion. Reads at most two data blocks.
 * @throws Error if the footer or a block that is read is damaged
 */
export async function lastPutBelow(
  path: string,
  bound: string,
): Promise<{ readonly key: string; readonly value: Buffer } | undefined> {
  const file = await open(path, 'r');
  try {
    const footer = await readFooter(file);
    if (footer === undefined) throw new Error(`${path} has no footer`);
    const blocks = await readEntries(file, footer.index);
    // A key in the index is at or above the last key of its block, and below the first key of the next block.
    const index = blocks.findIndex(({ key }) => key >= bound);
    for (const { handle } of blocks
      .slice(0, index === -1 ? undefined : index + 1)
      .slice(-2)
      .toReversed()) {
      const block = await readBlock(file, handle);
      if (block === undefined) throw new Error(`the block at byte ${handle.offset} of ${path} is damaged`);
      const lastEntry = parseEntries(block).findLast(({ key }) => userKey(key) < bound);
      if (lastEntry !== undefined)
        return isPut(lastEntry.key) ? { key: userKey(lastEntry.key), value: lastEntry.value } : undefined;
    }
    return undefined;
  } finally {
    await file.close();
  }
}
