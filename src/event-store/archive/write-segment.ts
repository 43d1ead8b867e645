import { createHash } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Position, RecordedEvent } from '../event-log.ts';
import { checkSegment } from './check-segment.ts';
import { syncDirectory, writePrivateFile } from './private-file.ts';
import { formatSeal, segmentPaths, type Seal } from './seal.ts';
import { createIndexBuilder, RECORDS_PER_MEMBER, type IndexBuilder } from './segment-index.ts';

const compress = promisify(gzip);

export interface DraftSegment {
  readonly seal: Seal;
  /** The path of the record file. */
  readonly file: string;
  readonly textBytes: number;
  /** Writes the seal, which makes the segment part of the archive. The seal is durable when the promise resolves. */
  publish(): Promise<void>;
}

/**
 * Writes the records and the index of one segment durably, and reads them back to verify them. The caller must publish
 * the segment.
 * @param directory must exist
 * @param tag makes the file names unique if several processes write to the directory
 * @param batches consecutive events
 * @returns undefined if `batches` is empty
 * @throws LogDamaged if a file differs from its seal when it is read back
 * @throws Error if the records that were read back differ from `batches`
 */
export async function writeSegment(
  directory: string,
  batches: AsyncIterable<readonly RecordedEvent[]>,
  tag?: string,
): Promise<DraftSegment | undefined> {
  const suffix = tag === undefined ? 'new' : `${tag}.new`;
  const drafts = {
    records: `${directory}/records.${suffix}`,
    index: `${directory}/index.${suffix}`,
    seal: `${directory}/seal.${suffix}`,
  };
  const index = createIndexBuilder();
  const totals = { first: 0, last: 0, textBytes: 0, digest: createHash('sha256') };
  const records = await writePrivateFile(drafts.records, compressMembers(batches, index, totals));
  if (totals.last === 0) {
    await rm(drafts.records);
    return undefined;
  }
  const sealedIndex = await writePrivateFile(drafts.index, index.chunks());
  const seal: Seal = {
    first: totals.first as Position,
    last: totals.last as Position,
    records,
    index: sealedIndex,
    ...(tag !== undefined && { tag }),
  };
  const paths = segmentPaths(directory, seal);
  await rename(drafts.records, paths.records);
  await rename(drafts.index, paths.index);
  await syncDirectory(directory);
  await verifyWrittenSegment(directory, seal, totals.digest.digest('hex'));
  return {
    seal,
    file: paths.records,
    textBytes: totals.textBytes,
    async publish() {
      await writePrivateFile(drafts.seal, [Buffer.from(formatSeal(seal))]);
      await rename(drafts.seal, paths.seal);
      await syncDirectory(directory);
    },
  };
}

interface WriteTotals {
  first: number;
  last: number;
  textBytes: number;
  readonly digest: ReturnType<typeof createHash>;
}

/**
 * Compresses the records into gzip members of `RECORDS_PER_MEMBER` records; the last member may have fewer. `zcat`
 * can read the whole file, and a lookup reads a single member.
 */
async function* compressMembers(
  batches: AsyncIterable<readonly RecordedEvent[]>,
  index: IndexBuilder,
  totals: WriteTotals,
): AsyncGenerator<Buffer, void, void> {
  let lines: string[] = [];

  async function endMember(): Promise<Buffer> {
    const text = Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
    totals.textBytes += text.length;
    totals.digest.update(text);
    const member = await compress(text);
    index.addMember(member.length);
    return member;
  }

  for await (const events of batches) {
    for (const { stream, position, record } of events) {
      if (totals.first === 0) totals.first = position;
      totals.last = position;
      index.addRecord(stream);
      if (lines.push(record) === RECORDS_PER_MEMBER) yield await endMember();
    }
  }
  if (lines.length > 0) yield await endMember();
}

/** Checks that the files contain the records that were written, because the live log will drop its copies of them. */
async function verifyWrittenSegment(directory: string, seal: Seal, textDigest: string): Promise<void> {
  const digest = createHash('sha256');
  for await (const damage of checkSegment(directory, seal, { onLine: (text) => digest.update(text) })) throw damage;
  if (digest.digest('hex') !== textDigest)
    throw new Error('the archive files differ from the records that were written; nothing was archived');
}
