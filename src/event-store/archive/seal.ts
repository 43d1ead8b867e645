import { join } from 'node:path';
import type { Position } from '../event-log.ts';

/** The sizes and hashes of a segment's files. The seal is written last: only a segment with a seal is archived. */
export interface Seal {
  readonly first: Position;
  readonly last: Position;
  readonly records: SealedFile;
  readonly index: SealedFile;
}

export interface SealedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** The paths of one segment's files. */
export interface SegmentPaths {
  readonly records: string;
  readonly index: string;
  readonly seal: string;
}

const SEAL_NAME = /^(\d{16})-(\d{16})\.seal$/; // fixed width, so that a directory listing is in order

export function segmentPaths(directory: string, { first, last }: Pick<Seal, 'first' | 'last'>): SegmentPaths {
  const name = join(directory, `${String(first).padStart(16, '0')}-${String(last).padStart(16, '0')}`);
  return { records: `${name}.jsonl.gz`, index: `${name}.index`, seal: `${name}.seal` };
}

/** The range that a seal's file name states; undefined if it is not the name of a seal. */
export function parseSealName(name: string): Pick<Seal, 'first' | 'last'> | undefined {
  const [, first, last] = SEAL_NAME.exec(name) ?? [];
  return first === undefined ? undefined : { first: Number(first) as Position, last: Number(last) as Position };
}

const withFixedOrder = ({ bytes, sha256 }: SealedFile): SealedFile => ({ bytes, sha256 });

const FORMAT = 'grantlog-archive-1';

export function formatSeal({ first, last, records, index }: Seal): string {
  const files = { records: withFixedOrder(records), index: withFixedOrder(index) };
  return `${JSON.stringify({ format: FORMAT, first, last, ...files })}\n`;
}

/** @throws Error the text differs in any byte from the seal that `formatSeal` writes for this range */
export function parseSeal(text: string, { first, last }: Pick<Seal, 'first' | 'last'>): Seal {
  const seal = JSON.parse(text) as Seal;
  if (!isSealedFile(seal.records) || !isSealedFile(seal.index) || formatSeal({ ...seal, first, last }) !== text)
    throw new Error('it is damaged');
  return seal;
}

function isSealedFile(file: SealedFile | undefined): boolean {
  return Number.isSafeInteger(file?.bytes) && /^[0-9a-f]{64}$/.test(file?.sha256 ?? '');
}
