import { MAX_LOGO_BYTES, type LogoImage } from '../../domain/logo.ts';
import { InvalidImage, type CleanedImage } from './cleaned-image.ts';
import { cleanJpeg, JPEG_SIGNATURE } from './jpeg.ts';
import { cleanPng, PNG_SIGNATURE } from './png.ts';
import { cleanWebp, isWebp } from './webp.ts';

/** In pixels. A small file can contain an enormous image, which a browser would have to decode. */
const MAX_SIDE = 1_024;
const MIN_SIDE = 16;

/**
 * The logo in a file. Its format is recognized by its content, whatever its name says. Metadata is removed, because
 * everybody who sees the logo could read it.
 * @returns or what is wrong with the file, in a sentence
 */
export function readLogo(file: Buffer): { readonly image: LogoImage } | { readonly problem: string } {
  if (file.length === 0) return { problem: 'Choose a file.' };
  if (file.length > MAX_LOGO_BYTES) {
    const kib = (file.length / 1_024).toFixed(1);
    return { problem: `The file has ${kib} KiB. Use a logo of at most ${MAX_LOGO_BYTES / 1_024} KiB.` };
  }
  try {
    const { width, height, mediaType, bytes } = clean(file);
    const isInRange = [width, height].every((side) => side >= MIN_SIDE && side <= MAX_SIDE);
    return isInRange
      ? { image: { mediaType, base64: bytes.toString('base64') } }
      : { problem: `The image has ${width} × ${height} pixels. Use ${MIN_SIDE} to ${MAX_SIDE} pixels on each side.` };
  } catch (error) {
    if (error instanceof InvalidImage) return { problem: error.message };
    throw error;
  }
}

function clean(file: Buffer): CleanedImage {
  if (file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return cleanPng(file);
  if (file.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE)) return cleanJpeg(file);
  if (isWebp(file)) return cleanWebp(file);
  throw new InvalidImage(
    /^\s*<(?:\?xml|!|svg)/i.test(file.toString('latin1', 0, 256))
      ? 'SVG is not accepted, because it can contain scripts. Export the logo as a PNG.'
      : 'The file is not a PNG, JPEG or WebP image.',
  );
}
