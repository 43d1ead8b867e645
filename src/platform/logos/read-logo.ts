import { MAX_LOGO_BYTES, type LogoImage } from '../../domain/logo.ts';
import { message, type Message } from '../../language/message.ts';
import { InvalidImageError, type CleanedImage } from './cleaned-image.ts';
import { cleanJpeg, JPEG_SIGNATURE } from './jpeg.ts';
import { cleanPng, PNG_SIGNATURE } from './png.ts';
import { cleanWebp, isWebp } from './webp.ts';

/** In pixels. A small file may contain an enormous image, which a browser would have to decode. */
const MAX_SIDE = 1_024;
const MIN_SIDE = 16;

/**
 * Reads a logo from a file. The content of the file, not its name, determines the format. Metadata is removed, because
 * anyone who can see the logo could read it.
 * @returns the image, or the problem with the file
 */
export function readLogo(file: Buffer): { readonly image: LogoImage } | { readonly problem: Message } {
  if (file.length === 0) return { problem: message('logo-problem.none') };
  if (file.length > MAX_LOGO_BYTES) {
    return { problem: message('logo-problem.large', { kib: file.length / 1_024, limit: MAX_LOGO_BYTES / 1_024 }) };
  }
  try {
    const { width, height, mediaType, bytes } = clean(file);
    const isInRange = [width, height].every((side) => side >= MIN_SIDE && side <= MAX_SIDE);
    return isInRange
      ? { image: { mediaType, base64: bytes.toString('base64') } }
      : { problem: message('logo-problem.size', { width, height, minimum: MIN_SIDE, maximum: MAX_SIDE }) };
  } catch (error) {
    if (error instanceof InvalidImageError) return { problem: error.problem };
    throw error;
  }
}

function clean(file: Buffer): CleanedImage {
  if (file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return cleanPng(file);
  if (file.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE)) return cleanJpeg(file);
  if (isWebp(file)) return cleanWebp(file);
  throw new InvalidImageError(
    /^\s*<(?:\?xml|!|svg)/i.test(file.toString('latin1', 0, 256))
      ? message('logo-problem.svg')
      : message('logo-problem.unknown'),
  );
}
