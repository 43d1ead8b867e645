import { MalformedError } from './malformed.ts';

/** The size of the prefix of each entry: the entry's length as a big-endian uint16 (C2SP tlog-tiles). */
const LENGTH_BYTES = 2;

/** The maximum length of an entry: the largest value that fits in its 16-bit length prefix. */
export const MAX_ENTRY_BYTES = 0xff_ff;

/**
 * Encodes a bundle of at most 256 consecutive entries. Text entries are encoded as UTF-8.
 * @throws RangeError if an entry is longer than MAX_ENTRY_BYTES
 */
export function encodeEntryBundle(entries: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const bytes = typeof entry === 'string' ? Buffer.from(entry) : entry;
      return [encodeLength(bytes), bytes];
    }),
  );
}

/**
 * Decodes a bundle of `width` entries.
 * @throws MalformedError if the bundle has more or fewer entries, or ends in the middle of an entry
 */
export function decodeEntryBundle(bundle: Uint8Array, width: number): readonly Buffer[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  const entries: Buffer[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const start = offset + LENGTH_BYTES;
    const end = start <= bytes.length ? start + bytes.readUInt16BE(offset) : start;
    if (end > bytes.length)
      throw new MalformedError(`the bundle has ${bytes.length} bytes, but needs ${end} for entry ${entries.length}`);
    entries.push(bytes.subarray(start, end));
    offset = end;
  }
  if (entries.length !== width)
    throw new MalformedError(`the bundle has ${entries.length} entries instead of ${width}`);
  return entries;
}

function encodeLength(entry: Uint8Array): Buffer {
  if (entry.length > MAX_ENTRY_BYTES)
    throw new RangeError(`an entry of ${entry.length} bytes exceeds the limit of ${MAX_ENTRY_BYTES}`);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(entry.length);
  return length;
}
