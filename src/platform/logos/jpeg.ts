import { message } from '../../language/message.ts';
import { InvalidImageError, requireEnd, bytesAt, type CleanedImage } from './cleaned-image.ts';

const MARKER = 0xff;
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Baseline, extended and progressive (ITU-T T.81, table B.1). Browsers do not show other kinds. */
const FRAMES = [0xc0, 0xc1, 0xc2];
/** Huffman tables, quantization tables, restart interval, and the JFIF and Adobe segments that determine the colors. */
const TABLES = [0xc4, 0xdb, 0xdd, 0xe0, 0xee];
/** Other application segments, such as Exif with location and camera, and comments. */
const METADATA = [0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xef, 0xfe];

export const JPEG_SIGNATURE = Buffer.from([MARKER, START_OF_IMAGE, MARKER]);

/**
 * Returns the JPEG with only the segments that are needed to show it (ITU-T T.81, annex B).
 * @throws InvalidImageError if the file is not exactly one JPEG
 */
export function cleanJpeg(file: Buffer): CleanedImage {
  const parts = [bytesAt(file, 0, 2)];
  let frame: Buffer | undefined;
  let offset = 2;
  for (;;) {
    const [marker = 0, code = 0] = bytesAt(file, offset, 2);
    if (marker !== MARKER) throw new InvalidImageError(message('logo-problem.damaged'));
    if (code === END_OF_IMAGE) break;
    const segment = bytesAt(file, offset, 2 + bytesAt(file, offset + 2, 2).readUInt16BE(0));
    if (FRAMES.includes(code)) frame ??= segment;
    else if (code !== START_OF_SCAN && !TABLES.includes(code) && !METADATA.includes(code))
      throw new InvalidImageError(message('logo-problem.rare'));
    if (!METADATA.includes(code)) parts.push(segment);
    offset += segment.length;
    if (code !== START_OF_SCAN) continue;
    const end = findScanEnd(file, offset);
    parts.push(file.subarray(offset, end));
    offset = end;
  }
  parts.push(bytesAt(file, offset, 2));
  requireEnd(file, offset + 2);
  if (frame === undefined || frame.length < 9)
    throw new InvalidImageError(message('logo-problem.no-image', { format: 'JPEG' }));
  return {
    mediaType: 'image/jpeg',
    width: frame.readUInt16BE(7),
    height: frame.readUInt16BE(5),
    bytes: Buffer.concat(parts),
  };
}

/** Finds the next marker after entropy-coded data, in which a zero follows each 0xff except in restart markers. */
function findScanEnd(file: Buffer, start: number): number {
  for (let offset = file.indexOf(MARKER, start); offset !== -1; offset = file.indexOf(MARKER, offset + 1)) {
    const code = file[offset + 1] ?? 0;
    if (code !== 0 && code !== MARKER && (code < 0xd0 || code > 0xd7)) return offset;
  }
  throw new InvalidImageError(message('logo-problem.cut-off'));
}
