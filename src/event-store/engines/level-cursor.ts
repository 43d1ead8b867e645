/** The location of a block in a table. */
export interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/**
 * Creates a reader of consecutive values in LevelDB's encoding. The reader throws a RangeError if the bytes end within
 * a number.
 */
export function createCursor(bytes: Buffer) {
  let offset = 0;
  const self = {
    offset: () => offset,
    varint(): number {
      let value = 0;
      for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
        byte = bytes.readUInt8(offset);
        offset += 1;
        value += (byte & 0x7f) * 2 ** shift;
      }
      return value;
    },
    bytes(length: number): Buffer {
      offset += length;
      return bytes.subarray(offset - length, offset);
    },
    handle: (): BlockHandle => ({ offset: self.varint(), size: self.varint() }),
  };
  return self;
}
