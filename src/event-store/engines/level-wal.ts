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

/** The first damage of a write-ahead log. */
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
  /** The position of the last event before any damage, or undefined if the file begins with damage or is empty. */
  readonly last: number | undefined;
}

interface Fragment {
  readonly type: number;
  readonly payload: Buffer;
  readonly end: number;
}

/** A file in the format of the write-ahead log, which the MANIFEST uses, too. */
export interface LogFile {
  /** The complete and valid records before the first damage. */
  readonly records: readonly Buffer[];
  /** The offset at which the last of them ends. */
  readonly validBytes: number;
  readonly isDamaged: boolean;
}

/**
 * Reads the records of a file in the format of the write-ahead log. A record that a crash cut short at the end of the
 * file is not damage: none of it was acknowledged. LevelDB itself drops a damaged record with the rest of its block,
 * logs that to its LOG, and continues.
 */
export function readLogFile(bytes: Buffer): LogFile {
  const records: Buffer[] = [];
  let validBytes = 0;
  let fragments: Buffer[] = [];
  for (let at = 0; ;) {
    const begin = startOfFragment(at);
    const fragment = readFragment(bytes, begin);
    const isEnd = fragment === 'cut short' && !hasFragmentAfter(bytes, begin);
    if (typeof fragment === 'string' || !isValidNext(fragment.type, fragments.length > 0)) {
      return { records, validBytes, isDamaged: !isEnd };
    }
    fragments.push(fragment.payload);
    at = fragment.end;
    if (fragment.type === FIRST || fragment.type === MIDDLE) continue;
    records.push(Buffer.concat(fragments));
    fragments = [];
    validBytes = at;
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

/** Decodes only as many records from the end as needed. */
function lastEventPosition(records: readonly Buffer[]): number | undefined {
  for (const record of records.toReversed()) {
    const last = lastPositionInBatch(record);
    if (last !== undefined) return last;
  }
  return undefined;
}

/** A block's last bytes are padding if a header does not fit. */
function startOfFragment(at: number): number {
  const remaining = BLOCK_BYTES - (at % BLOCK_BYTES);
  return remaining < HEADER_BYTES ? at + remaining : at;
}

function readFragment(bytes: Buffer, at: number): Fragment | 'cut short' | 'damaged' {
  if (at + HEADER_BYTES > bytes.length) return 'cut short';
  const length = bytes.readUInt16LE(at + 4);
  const type = bytes.readUInt8(at + 6);
  const end = at + HEADER_BYTES + length;
  if (type === 0 && length === 0) return 'cut short'; // allocated by the file system, never written
  if ((at % BLOCK_BYTES) + HEADER_BYTES + length > BLOCK_BYTES) return 'damaged';
  if (end > bytes.length) return 'cut short';
  const isSound = unmaskChecksum(bytes.readUInt32LE(at)) === crc32c(bytes.subarray(at + 6, end));
  return isSound ? { type, payload: bytes.subarray(at + HEADER_BYTES, end), end } : 'damaged';
}

/** LevelDB masks the checksums that it stores, because its data may contain checksums (util/crc32c.h). */
export function unmaskChecksum(stored: number): number {
  const rotated = (stored - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
}

function isValidNext(type: number, isOpen: boolean): boolean {
  return isOpen ? type === MIDDLE || type === LAST : type === FULL || type === FIRST;
}

/** Reports whether a complete fragment follows. If so, the bytes before it are damaged, not cut short. */
function hasFragmentAfter(bytes: Buffer, from: number, matches: (fragment: Fragment) => boolean = () => true): boolean {
  for (let at = from + 1; at + HEADER_BYTES < bytes.length; at += 1) {
    const type = bytes[at + 6] ?? 0;
    if (type < FULL || type > LAST || bytes.readUInt16LE(at + 4) === 0) continue;
    const fragment = readFragment(bytes, at);
    if (typeof fragment === 'object' && matches(fragment)) return true;
  }
  return false;
}

const BATCH_HEADER_BYTES = 12;

/**
 * Returns the position of the last event in a batch, or undefined if the batch only drops archived events.
 */
function lastPositionInBatch(batch: Buffer): number | undefined {
  let at = BATCH_HEADER_BYTES;
  let last: number | undefined;

  function text(): string {
    let length = 0;
    for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
      byte = batch[at] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      at += 1;
    }
    at += length;
    return batch.toString('utf8', at - length, at);
  }

  while (at < batch.length) {
    const isPut = batch[at] === 1;
    at += 1;
    const key = text();
    const value = isPut ? text() : '';
    if (isPut && key.startsWith('e')) last = parseGroupKey(key) + splitGroup(value).length - 1;
  }
  return last;
}

/** Returns the lowest position still legible in damaged bytes. A flipped bit may have increased the first one. */
function lowestPosition(bytes: Buffer): number | undefined {
  let lowest = Infinity;
  for (const [, digits] of bytes.toString('latin1').matchAll(/e(\d{16})/g)) lowest = Math.min(lowest, Number(digits));
  return lowest === Infinity ? undefined : Math.max(START + 1, lowest);
}
