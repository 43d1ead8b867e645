import { LOGO_MEDIA_TYPES, MAX_LOGO_BASE64_LENGTH, type LogoImage } from '../domain/logo.ts';
import { message, type Text } from '../language/message.ts';
import { readLogo } from '../platform/logos/read-logo.ts';

/** The maximum length of the data URL of a logo. */
export const MAX_LOGO_URL = MAX_LOGO_BASE64_LENGTH + 32;

const LOGO_URL = new RegExp(`^data:(?:${LOGO_MEDIA_TYPES.join('|')});base64,[A-Za-z0-9+/]+={0,2}$`);

export function isLogoUrl(text: string): boolean {
  return LOGO_URL.test(text);
}

export function logoUrl({ mediaType, base64 }: LogoImage): string {
  return `data:${mediaType};base64,${base64}`;
}

/** Reads the image in a data URL and removes its metadata. Returns undefined if it is not a logo: see `readLogo`. */
export function readLogoUrl(url: string): LogoImage | undefined {
  const result = readLogo(decodeDataUrl(url));
  return 'problem' in result ? undefined : result.image;
}

/** Returns the problem with the image in a data URL, or undefined if the image is a logo without metadata. */
export function logoProblem(url: string): Text | undefined {
  const result = readLogo(decodeDataUrl(url));
  if ('problem' in result) return result.problem;
  return logoUrl(result.image) === url ? undefined : message('setting-problem.logo-metadata');
}

function decodeDataUrl(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
