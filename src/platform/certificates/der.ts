/** Thrown when bytes are not DER (ITU-T X.690). */
export class MalformedDerError extends Error {
  override readonly name = 'MalformedDerError';
}

/** A tag with its content. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
}

/** The tags that certificates use. Those of context-specific values are `0x80 + n`, or `0xa0 + n` if constructed. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  teletexString: 0x14,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
  extensions: 0xa3,
} as const;

const LONG_FORM = 0x80;
const MAX_LENGTH_BYTES = 4;

/**
 * Reads all values in `bytes`.
 * @throws MalformedDerError
 */
export function readValues(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const tag = byteAt(bytes, offset);
    if ((tag & 0x1f) === 0x1f) throw new MalformedDerError('multi-byte tags are not supported');
    const { length, start } = readLength(bytes, offset + 1);
    if (start + length > bytes.length) throw new MalformedDerError('a value extends beyond the end of the data');
    values.push({ tag, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return values;
}

/**
 * Reads the only value in `bytes`.
 * @throws MalformedDerError if there is not exactly one value, or its tag is not `tag`
 */
export function readValue(bytes: Buffer, tag: number): Buffer {
  const [value, ...rest] = readValues(bytes);
  if (value?.tag !== tag || rest.length > 0) throw new MalformedDerError(`expected one value with the tag ${tag}`);
  return value.content;
}

/**
 * Reads an object identifier (ITU-T X.690 §8.19) and returns it in dotted form.
 * @throws MalformedDerError
 */
export function readObjectIdentifier(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER) throw new MalformedDerError('a number in the object identifier is too large');
    if ((byte & 0x80) !== 0) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first, ...rest] = arcs;
  if (first === undefined || ((content.at(-1) ?? 0) & 0x80) !== 0)
    throw new MalformedDerError('the object identifier is incomplete');
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}

function readLength(bytes: Buffer, offset: number): { readonly length: number; readonly start: number } {
  const first = byteAt(bytes, offset);
  if (first < LONG_FORM) return { length: first, start: offset + 1 };
  const count = first - LONG_FORM;
  if (count === 0 || count > MAX_LENGTH_BYTES)
    throw new MalformedDerError(`the length is indefinite or has more than ${MAX_LENGTH_BYTES} bytes`);
  let length = 0;
  for (let index = 1; index <= count; index += 1) length = length * 256 + byteAt(bytes, offset + index);
  return { length, start: offset + 1 + count };
}

function byteAt(bytes: Buffer, offset: number): number {
  const byte = bytes[offset];
  if (byte === undefined) throw new MalformedDerError('the data ends within a value');
  return byte;
}
