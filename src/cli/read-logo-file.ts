import { MAX_LOGO_BYTES, type LogoImage } from '../domain/logo.ts';
import { english } from '../language/english.ts';
import { readLogo } from '../platform/logos/read-logo.ts';
import { CannotRunError } from './exit.ts';
import { readSmallFile } from './read-file.ts';

/** Larger than the limit for a logo, so that `readLogo` can report the size of an oversized logo. */
const MAX_FILE_BYTES = 10 * MAX_LOGO_BYTES;

/**
 * Reads a logo from an image file and removes the metadata of the image.
 * @throws CannotRunError if the file cannot be read, or the image cannot be a logo
 */
export function readLogoFile(file: string): LogoImage {
  const result = readLogo(readSmallFile(file, MAX_FILE_BYTES));
  if ('problem' in result) throw new CannotRunError(`${file}: ${english.text(result.problem)}`);
  return result.image;
}
