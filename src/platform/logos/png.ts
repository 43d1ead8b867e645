import { message } from '../../language/message.ts';
import { InvalidImageError, requireEnd, bytesAt, type CleanedImage } from './cleaned-image.ts';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The chunks that determine the pixels and their colors. Other chunks, such as metadata and color profiles, are
 * removed.
 */
const PIXEL_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND'];
const LENGTH_AND_TYPE_BYTES = 8;
const CRC_BYTES = 4;

/**
 * Returns the PNG with only the chunks that are needed to show it (PNG Specification, Third Edition, §5).
 * @throws InvalidImageError if the file is not exactly one PNG
 */
export function cleanPng(file: Buffer): CleanedImage {
  const chunks: Buffer[] = [PNG_SIGNATURE];
  const types: string[] = [];
  let offset = PNG_SIGNATURE.length;
  while (types.at(-1) !== 'IEND') {
    const head = bytesAt(file, offset, LENGTH_AND_TYPE_BYTES);
    const type = head.toString('latin1', 4);
    const chunk = bytesAt(file, offset, LENGTH_AND_TYPE_BYTES + head.readUInt32BE(0) + CRC_BYTES);
    if (PIXEL_CHUNKS.includes(type)) chunks.push(chunk);
    types.push(type);
    offset += chunk.length;
  }
  requireEnd(file, offset);
  if (types[0] !== 'IHDR' || !types.includes('IDAT'))
    throw new InvalidImageError(message('logo-problem.no-image', { format: 'PNG' }));
  const size = bytesAt(file, PNG_SIGNATURE.length + LENGTH_AND_TYPE_BYTES, 8);
  return {
    mediaType: 'image/png',
    width: size.readUInt32BE(0),
    height: size.readUInt32BE(4),
    bytes: Buffer.concat(chunks),
  };
}
