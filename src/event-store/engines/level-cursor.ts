/** The location of a block in a table. */
export interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/**
 * Reads consecutive values in LevelDB's encoding.
 * @throws RangeError if the bytes end within a number
 */
export function createCursor(bytes: Buffer) {
  let at = 0;
  const self = {
    at: () => at,
    varint(): number {
      let value = 0;
      for (let shift = 0, byte = 0x80; byte >= 0x80; shift += 7) {
        byte = bytes.readUInt8(at);
        at += 1;
        value += (byte & 0x7f) * 2 ** shift;
      }
      return value;
    },
    bytes(length: number): Buffer {
      at += length;
      return bytes.subarray(at - length, at);
    },
    handle: (): BlockHandle => ({ offset: self.varint(), size: self.varint() }),
  };
  return self;
}
