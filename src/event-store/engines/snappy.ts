/**
 * Decompresses Snappy (format_description.txt in Snappy), which LevelDB uses for the blocks of its tables.
 * @throws RangeError if `bytes` is not valid Snappy data
 */
export function decompressSnappy(bytes: Buffer): Buffer {
  let position = 0;
  let length = 0;
  for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
    byte = bytes.readUInt8(position);
    position += 1;
    length += (byte & 0x7f) * 2 ** shift;
  }
  if (length > MAX_BYTES) throw new RangeError(`a block cannot have ${length} bytes`);
  const output = Buffer.alloc(length);
  let filledBytes = 0;

  function appendLiteral(size: number): void {
    if (position + size > bytes.length || filledBytes + size > length)
      throw new RangeError('a literal exceeds the input or the output');
    bytes.copy(output, filledBytes, position, position + size);
    position += size;
    filledBytes += size;
  }

  /** Copies byte by byte, because source and target may overlap. */
  function copy(offset: number, size: number): void {
    if (offset === 0 || offset > filledBytes) throw new RangeError('a copy starts before the output');
    if (filledBytes + size > length) throw new RangeError('a copy exceeds the output');
    for (let remainingBytes = size; remainingBytes > 0; remainingBytes -= 1, filledBytes += 1)
      output[filledBytes] = output[filledBytes - offset] ?? 0;
  }

  while (position < bytes.length) {
    const tag = bytes.readUInt8(position);
    position += 1;
    const highBits = tag >> 2;
    const kind = tag & 3;
    if (kind === 0) {
      const extraBytes = Math.max(0, highBits - 59);
      const size = extraBytes === 0 ? highBits : bytes.readUIntLE(position, extraBytes);
      position += extraBytes;
      appendLiteral(size + 1);
    } else if (kind === 1) {
      copy(((tag >> 5) << 8) | bytes.readUInt8(position), (highBits & 7) + 4);
      position += 1;
    } else {
      const width = kind === 2 ? 2 : 4;
      copy(bytes.readUIntLE(position, width), highBits + 1);
      position += width;
    }
  }
  if (filledBytes !== length) throw new RangeError('it is truncated');
  return output;
}

/** Far more than any block needs. */
const MAX_BYTES = 2 ** 28;
