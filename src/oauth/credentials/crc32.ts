const POLYNOMIAL = 0xed_b8_83_20; // IEEE 802.3, bit-reversed, as in zlib

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1)
    remainder = remainder % 2 === 0 ? remainder >>> 1 : POLYNOMIAL ^ (remainder >>> 1);
  return remainder;
});

/**
 * Returns the CRC-32 of an ASCII string. `node:zlib` takes a third longer for strings as short as a credential, and a
 * token request computes three (`npm run bench -- micro`).
 */
export function crc32(ascii: string): number {
  let crc = -1;
  for (let index = 0; index < ascii.length; index += 1)
    crc = TABLE[(crc ^ ascii.charCodeAt(index)) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
