import { join } from 'node:path';
import type { Position } from '../event-log.ts';

/** The sizes and hashes of a segment's files. A seal is written last: only a segment with a seal is archived. */
export interface Seal {
  readonly first: Position;
  readonly last: Position;
  readonly records: SealedFile;
  readonly index: SealedFile;
  /** Part of the file names if several processes write to the directory. Each process has its own tag. */
  readonly tag?: string;
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

/** The positions in a name have a fixed width, so that file names sort in the order of the log. */
const SEAL_NAME = /^(\d{16})-(\d{16})(?:\.([0-9a-f-]+))?\.seal$/;

/** The parts that make up the names of a segment's files. */
export type SegmentName = Pick<Seal, 'first' | 'last' | 'tag'>;

export function segmentPaths(directory: string, { first, last, tag }: SegmentName): SegmentPaths {
  const range = `${String(first).padStart(16, '0')}-${String(last).padStart(16, '0')}`;
  const name = join(directory, tag === undefined ? range : `${range}.${tag}`);
  return { records: `${name}.jsonl.gz`, index: `${name}.index`, seal: `${name}.seal` };
}

/** Parses the file name of a seal. Returns undefined for any other name. */
export function parseSealName(name: string): SegmentName | undefined {
  const [, first, last, tag] = SEAL_NAME.exec(name) ?? [];
  if (first === undefined) return undefined;
  return { first: Number(first) as Position, last: Number(last) as Position, ...(tag !== undefined && { tag }) };
}

const withFixedMemberOrder = ({ bytes, sha256 }: SealedFile): SealedFile => ({ bytes, sha256 });

const FORMAT = 'grantlog-archive-1';

export function formatSeal({ first, last, records, index }: Seal): string {
  const files = { records: withFixedMemberOrder(records), index: withFixedMemberOrder(index) };
  return `${JSON.stringify({ format: FORMAT, first, last, ...files })}\n`;
}

/**
 * Parses a seal.
 * @throws Error if the text differs in any byte from the seal that `formatSeal` writes for a segment of this name
 */
export function parseSeal(text: string, name: SegmentName): Seal {
  const seal = { ...(JSON.parse(text) as Seal), ...name };
  if (!isSealedFile(seal.records) || !isSealedFile(seal.index) || formatSeal(seal) !== text)
    throw new Error('it is not a valid seal');
  return seal;
}

function isSealedFile(file: SealedFile | undefined): boolean {
  return Number.isSafeInteger(file?.bytes) && /^[0-9a-f]{64}$/.test(file?.sha256 ?? '');
}
