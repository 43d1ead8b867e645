import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LogDamaged } from '../event-log.ts';
import { readExactly } from './private-file.ts';
import { segmentPaths, type Seal, type SealedFile } from './seal.ts';
import { createSegment, damagedFileError } from './segment.ts';
import { createIndexBuilder, findMembers, RECORDS_PER_MEMBER, type IndexBuilder } from './segment-index.ts';

interface CheckOptions {
  /** Called with each record, newline included. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Awaited after each batch. */
  readonly pace?: (() => Promise<void>) | undefined;
}

/**
 * Reads a segment and yields the damage that it finds: each file whose hash differs from the hash in the seal, and an
 * index that does not match the records. Stops at unreadable data or a file of the wrong size.
 */
export async function* checkSegment(
  directory: string,
  seal: Seal,
  { onLine = () => {}, pace = async () => {} }: CheckOptions = {},
): AsyncGenerator<LogDamaged, void, void> {
  const index = createIndexBuilder();
  try {
    for await (const events of createSegment(directory, seal).read(seal.first, seal.last)) {
      for (const { stream, record } of events) {
        index.addRecord(stream);
        onLine(`${record}\n`);
      }
      await pace();
    }
    yield* compareFiles(directory, seal, index);
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    yield error;
  }
}

async function* compareFiles(
  directory: string,
  seal: Seal,
  index: IndexBuilder,
): AsyncGenerator<LogDamaged, void, void> {
  const { records, index: indexPath } = segmentPaths(directory, seal);
  for (const [path, sealedFile] of [
    [records, seal.records],
    [indexPath, seal.index],
  ] as const) {
    if ((await hashFile(path, sealedFile, seal)) !== sealedFile.sha256)
      yield damagedFileError(path, seal.first, new Error('its SHA-256 hash does not match its seal'));
  }
  for (const bytes of await readMemberSizes(indexPath, seal)) index.addMember(bytes);
  const expectedHash = createHash('sha256');
  for (const chunk of index.chunks()) {
    expectedHash.update(chunk);
    await nextTurn(); // sorting all buckets in one turn would block the event loop
  }
  if (expectedHash.digest('hex') !== seal.index.sha256)
    yield damagedFileError(indexPath, seal.first, new Error('the index does not match the records'));
}

/**
 * Returns the SHA-256 hash of the file in hexadecimal.
 * @throws LogDamaged if the size of the file differs from the size in the seal
 */
async function hashFile(path: string, { bytes }: SealedFile, { first }: Seal): Promise<string> {
  const file = await open(path, 'r');
  const hash = createHash('sha256');
  let bytesRead = 0;
  for await (const chunk of file.createReadStream()) {
    hash.update(chunk as Buffer);
    bytesRead += (chunk as Buffer).length;
  }
  if (bytesRead !== bytes)
    throw damagedFileError(path, first, new Error(`the file has ${bytesRead} bytes instead of ${bytes}`));
  return hash.digest('hex');
}

async function readMemberSizes(path: string, { first, last }: Seal): Promise<readonly number[]> {
  const file = await open(path, 'r');
  try {
    const offsets = await findMembers(
      (offset, bytes) => readExactly(file, offset, bytes),
      0,
      Math.ceil((last - first + 1) / RECORDS_PER_MEMBER),
    );
    return offsets.slice(1).map((offset, index) => offset - (offsets[index] ?? 0));
  } finally {
    await file.close();
  }
}
