/**
 * Decodes ids and hashes from base64url, four characters into three bytes at a time. `Buffer.write` takes 1.5 times as
 * long for such short strings, and an insertion does little else (`npm run bench -- micro`).
 */

/** The length of an id, and of the stored part of a hash, in characters (132 bits). */
export const ID_LENGTH = 22;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const NONE = 0xff;
/** The six bits that each character encodes, indexed by character code. */
const BITS = new Uint8Array(128).fill(NONE);
for (let bits = 0; bits < ALPHABET.length; bits += 1) BITS[ALPHABET.charCodeAt(bits)] = bits;

const QUADS = 5;
/** The number of bytes in the complete quads of an id. Two of its characters remain. */
const BYTES_IN_QUADS = 15;

/**
 * Writes the first 22 characters of each string as 33 bytes.
 * @throws Error if a character is not base64url
 */
export function writeBase64urlPair(bytes: Uint8Array, offset: number, first: string, second: string): void {
  writeQuads(bytes, offset, first, 0);
  writeQuad(
    bytes,
    offset + BYTES_IN_QUADS,
    first.charCodeAt(20),
    first.charCodeAt(21),
    second.charCodeAt(0),
    second.charCodeAt(1),
  );
  writeQuads(bytes, offset + BYTES_IN_QUADS + 3, second, 2);
}

/**
 * Writes the first 22 characters as 17 bytes. The last four bits are 0.
 * @throws Error if a character is not base64url
 */
export function writeBase64url(bytes: Uint8Array, offset: number, text: string): void {
  writeQuads(bytes, offset, text, 0);
  const [first, second] = [BITS[text.charCodeAt(20)] ?? NONE, BITS[text.charCodeAt(21)] ?? NONE];
  if ((first | second) === NONE) throw invalidBase64urlError();
  bytes[offset + BYTES_IN_QUADS] = (first << 2) | (second >> 4);
  bytes[offset + BYTES_IN_QUADS + 1] = second << 4;
}

function writeQuads(bytes: Uint8Array, offset: number, text: string, from: number): void {
  for (let quad = 0; quad < QUADS; quad += 1) {
    const offsetInText = from + 4 * quad;
    writeQuad(
      bytes,
      offset + 3 * quad,
      text.charCodeAt(offsetInText),
      text.charCodeAt(offsetInText + 1),
      text.charCodeAt(offsetInText + 2),
      text.charCodeAt(offsetInText + 3),
    );
  }
}

function writeQuad(bytes: Uint8Array, offset: number, a: number, b: number, c: number, d: number): void {
  const [first, second, third, fourth] = [BITS[a] ?? NONE, BITS[b] ?? NONE, BITS[c] ?? NONE, BITS[d] ?? NONE];
  if ((first | second | third | fourth) === NONE) throw invalidBase64urlError();
  bytes[offset] = (first << 2) | (second >> 4);
  bytes[offset + 1] = (second << 4) | (third >> 2);
  bytes[offset + 2] = (third << 6) | fourth;
}

function invalidBase64urlError(): Error {
  return new Error('an id or hash is not valid base64url');
}
