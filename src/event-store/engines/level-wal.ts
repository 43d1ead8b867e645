import { START } from '../event-log.ts';
import { crc32c } from './crc32c.ts';
import { parseGroupKey, splitGroup } from './level-layout.ts';

/**
 * Reads LevelDB's write-ahead log (doc/log_format.md in LevelDB): blocks of 32 KiB with fragments, each with a
 * checksum. One or more fragments form a record, and a record is one batch of puts and deletes.
 */

const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const FULL = 1;
const FIRST = 2;
const MIDDLE = 3;
const LAST = 4;

/** The first defect in a write-ahead log. */
export interface WalDamage {
  /** Every record before it is complete and valid. */
  readonly offset: number;
  /** The position of the first event that may be lost, or undefined if unknown. */
  readonly position: number | undefined;
  /**
   * Whether no later record has begun. Each write is synced before the next one, so nothing follows an interrupted
   * write. If another record follows a write, the write was acknowledged.
   */
  readonly isLastWrite: boolean;
}

export interface Wal {
  readonly damage: WalDamage | undefined;
  /** The position of the last event before any damage, or undefined if there is no such event. */
  readonly last: number | undefined;
}

interface Fragment {
  readonly type: number;
  readonly payload: Buffer;
  readonly end: number;
}

/** A file in the format of the write-ahead log, which the MANIFEST also uses. */
export interface LogFile {
  /** The complete and valid records before the first defect. */
  readonly records: readonly Buffer[];
  /** The offset of the end of the last of these records. */
  readonly validBytes: number;
  readonly isDamaged: boolean;
}

/**
 * Reads the records of a file in the format of the write-ahead log. A record that a crash cut short at the end of the
 * file is not damage: none of it was acknowledged. LevelDB itself drops a damaged record and everything after it in its
 * block, logs that to its LOG, and continues.
 */
export function readLogFile(bytes: Buffer): LogFile {
  const records: Buffer[] = [];
  let validBytes = 0;
  let fragments: Buffer[] = [];
  for (let offset = 0; ;) {
    const begin = startOfFragment(offset);
    const fragment = readFragment(bytes, begin);
    const isEnd = fragment === 'cut short' && !hasFragmentAfter(bytes, begin);
    if (typeof fragment === 'string' || !isValidNext(fragment.type, fragments.length > 0)) {
      return { records, validBytes, isDamaged: !isEnd };
    }
    fragments.push(fragment.payload);
    offset = fragment.end;
    if (fragment.type === FIRST || fragment.type === MIDDLE) continue;
    records.push(Buffer.concat(fragments));
    fragments = [];
    validBytes = offset;
  }
}

export function readWal(bytes: Buffer): Wal {
  const { records, validBytes, isDamaged } = readLogFile(bytes);
  const last = lastEventPosition(records);
  if (!isDamaged) return { damage: undefined, last };
  const position = last === undefined ? lowestPosition(bytes.subarray(validBytes)) : last + 1;
  const begin = startOfFragment(validBytes);
  const isLastWrite = !hasFragmentAfter(bytes, begin, ({ type }) => type === FULL || type === FIRST);
  return { damage: { offset: validBytes, position, isLastWrite }, last };
}

/** Returns the position of the last event in the records. Decodes only as many records, from the end, as needed. */
function lastEventPosition(records: readonly Buffer[]): number | undefined {
  for (const record of records.toReversed()) {
    const lastPosition = lastPositionInBatch(record);
    if (lastPosition !== undefined) return lastPosition;
  }
  return undefined;
}

/** Returns where the next fragment begins. If a header does not fit into a block, its last bytes are padding. */
function startOfFragment(offset: number): number {
  const remainingBytes = BLOCK_BYTES - (offset % BLOCK_BYTES);
  return remainingBytes < HEADER_BYTES ? offset + remainingBytes : offset;
}

function readFragment(bytes: Buffer, offset: number): Fragment | 'cut short' | 'damaged' {
  if (offset + HEADER_BYTES > bytes.length) return 'cut short';
  const length = bytes.readUInt16LE(offset + 4);
  const type = bytes.readUInt8(offset + 6);
  const end = offset + HEADER_BYTES + length;
  if (type === 0 && length === 0) return 'cut short'; // allocated by the file system, never written
  if ((offset % BLOCK_BYTES) + HEADER_BYTES + length > BLOCK_BYTES) return 'damaged';
  if (end > bytes.length) return 'cut short';
  const isIntact = unmaskChecksum(bytes.readUInt32LE(offset)) === crc32c(bytes.subarray(offset + 6, end));
  return isIntact ? { type, payload: bytes.subarray(offset + HEADER_BYTES, end), end } : 'damaged';
}

/** LevelDB masks the checksums that it stores, because its data may contain checksums (util/crc32c.h). */
export function unmaskChecksum(maskedChecksum: number): number {
  const rotatedChecksum = (maskedChecksum - 0xa282ead8) >>> 0;
  return ((rotatedChecksum >>> 17) | (rotatedChecksum << 15)) >>> 0;
}

function isValidNext(type: number, isRecordOpen: boolean): boolean {
  return isRecordOpen ? type === MIDDLE || type === LAST : type === FULL || type === FIRST;
}

/** Reports whether a complete fragment follows. If so, the bytes before it are damaged, not cut short. */
function hasFragmentAfter(bytes: Buffer, from: number, matches: (fragment: Fragment) => boolean = () => true): boolean {
  for (let offset = from + 1; offset + HEADER_BYTES < bytes.length; offset += 1) {
    const type = bytes[offset + 6] ?? 0;
    if (type < FULL || type > LAST || bytes.readUInt16LE(offset + 4) === 0) continue;
    const fragment = readFragment(bytes, offset);
    if (typeof fragment === 'object' && matches(fragment)) return true;
  }
  return false;
}

const BATCH_HEADER_BYTES = 12;

/**
 * Returns the position of the last event in a batch, or undefined if the batch only drops archived events.
 */
function lastPositionInBatch(batch: Buffer): number | undefined {
  let offset = BATCH_HEADER_BYTES;
  let last: number | undefined;

  function readText(): string {
    let length = 0;
    for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      byte = batch[offset] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      offset += 1;
    }
    offset += length;
    return batch.toString('utf8', offset - length, offset);
  }

  while (offset < batch.length) {
    const isPut = batch[offset] === 1;
    offset += 1;
    const key = readText();
    const value = isPut ? readText() : '';
    if (isPut && key.startsWith('e')) last = parseGroupKey(key) + splitGroup(value).length - 1;
  }
  return last;
}

/** Returns the lowest position still legible in damaged bytes. A flipped bit may have increased the first one. */
function lowestPosition(bytes: Buffer): number | undefined {
  let lowestNumber = Infinity;
  for (const [, digits] of bytes.toString('latin1').matchAll(/e(\d{16})/g))
    lowestNumber = Math.min(lowestNumber, Number(digits));
  return lowestNumber === Infinity ? undefined : Math.max(START + 1, lowestNumber);
}
