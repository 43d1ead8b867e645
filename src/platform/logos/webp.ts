import { message } from '../../language/message.ts';
import { InvalidImageError, requireEnd, bytesAt, type CleanedImage } from './cleaned-image.ts';

/** `RIFF`, the size of the rest of the file, and `WEBP`. */
const FILE_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const IMAGES = ['VP8 ', 'VP8L'];
/**
 * The image, its transparency, and the chunk that declares them. All other chunks, such as metadata and color profiles,
 * are removed.
 */
const PIXEL_CHUNKS = [...IMAGES, 'VP8X', 'ALPH'];
const ALPHA_FLAG = 0x10;

export function isWebp(file: Buffer): boolean {
  return file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, FILE_HEADER_BYTES) === 'WEBP';
}

/**
 * Returns the WebP with only the chunks that are needed to show it (RFC 9649 §2).
 * @throws InvalidImageError if the file is not exactly one WebP, or is animated
 */
export function cleanWebp(file: Buffer): CleanedImage {
  requireEnd(file, bytesAt(file, 4, 4).readUInt32LE(0) + 8);
  const chunks: Buffer[] = [];
  let size: Size | undefined;
  for (let offset = FILE_HEADER_BYTES; offset < file.length;) {
    const header = bytesAt(file, offset, CHUNK_HEADER_BYTES);
    const [type, length] = [header.toString('latin1', 0, 4), header.readUInt32LE(4)];
    const chunk = Buffer.from(bytesAt(file, offset, CHUNK_HEADER_BYTES + length + (length % 2)));
    if (type === 'ANIM' || type === 'ANMF') throw new InvalidImageError(message('logo-problem.animated'));
    if (type === 'VP8X') chunk[CHUNK_HEADER_BYTES] = (chunk[CHUNK_HEADER_BYTES] ?? 0) & ALPHA_FLAG;
    if (PIXEL_CHUNKS.includes(type)) chunks.push(chunk);
    size ??= readSize(type, chunk.subarray(CHUNK_HEADER_BYTES));
    offset += chunk.length;
  }
  const hasImage = chunks.some((chunk) => IMAGES.includes(chunk.toString('latin1', 0, 4)));
  if (size === undefined || !hasImage)
    throw new InvalidImageError(message('logo-problem.no-image', { format: 'WebP' }));
  const body = Buffer.concat(chunks);
  const start = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  start.writeUInt32LE(body.length + 4, 4);
  return { mediaType: 'image/webp', ...size, bytes: Buffer.concat([start, body]) };
}

type Size = Pick<CleanedImage, 'width' | 'height'>;

function readSize(type: string, data: Buffer): Size | undefined {
  if (type === 'VP8X') {
    bytesAt(data, 0, 10);
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  }
  if (type === 'VP8 ') {
    bytesAt(data, 0, 10);
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (type !== 'VP8L') return undefined;
  const bits = bytesAt(data, 1, 4).readUInt32LE(0);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
