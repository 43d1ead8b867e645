/** The formats of a logo. SVG is not allowed, because SVG images can contain scripts. */
export const LOGO_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type LogoMediaType = (typeof LOGO_MEDIA_TYPES)[number];

/** 24 KiB. Logos are stored in log records, which are always read, hashed and exported in one piece. */
export const MAX_LOGO_BYTES = 24_576;
/** The length of the largest logo in base64. */
export const MAX_LOGO_BASE64_LENGTH = (MAX_LOGO_BYTES / 3) * 4;

/** A logo in the form that events contain. */
export interface LogoImage {
  readonly mediaType: LogoMediaType;
  readonly base64: string;
}
