import { SCHEMES, type HexColor, type Scheme } from '../../../config/brand-colors.ts';
import { message, type Message } from '../../../language/message.ts';
import type { Assets } from '../assets.ts';
import { accentOf, colorDeclarations, type BrandSettings } from '../brand.ts';
import type { FieldErrors } from '../page-context.ts';

/**
 * Returns a stylesheet that shows both schemes on one page, regardless of the scheme that the reader prefers. In
 * addition to the accents, the stylesheet contains the colors from the two `:root` rules in `grantlog.css`, the first
 * for light pages and the second for dark ones.
 * @param accents the accent of each scheme; null to use the accent from `grantlog.css`
 */
export async function previewStylesheet(
  assets: Pick<Assets, 'find'>,
  accents: Readonly<Record<Scheme, HexColor | null>>,
): Promise<string> {
  const stylesheet = await assets.find('grantlog.css')?.encoded('identity');
  const rootDeclarations = [...(stylesheet?.toString() ?? '').matchAll(/:root \{([^}]*)\}/g)].map(
    ([, root = '']) => root,
  );
  const rules = SCHEMES.map((scheme, index) => {
    const accent = accents[scheme];
    const accentColors = accent === null ? '' : colorDeclarations(accent, scheme);
    return `.brand-preview--${scheme} {${rootDeclarations[index] ?? ''} ${accentColors} color-scheme: ${scheme}; }`;
  });
  return `${rules.join('\n')}\n`;
}

const hasInvalidColor = (errors: FieldErrors): boolean => 'brand_color' in errors || 'brand_color_dark' in errors;

/**
 * Returns the entered settings that can be previewed. If one color is invalid, neither color is previewed, because
 * an entered color and a saved one might clash.
 */
export function usableSettings(settings: Partial<BrandSettings>, errors: FieldErrors): Partial<BrandSettings> {
  if (!hasInvalidColor(errors)) return settings;
  const { brandColor: _light, brandColorDark: _dark, ...otherSettings } = settings;
  return otherSettings;
}

/** Returns a note that says which previewed values were entered and which are saved. */
export function previewNote(errors: FieldErrors): Message {
  if ('brand_name' in errors)
    return message(hasInvalidColor(errors) ? 'brand.preview-saved' : 'brand.preview-saved-name');
  return message(hasInvalidColor(errors) ? 'brand.preview-saved-colors' : 'brand.preview-entered');
}

/** Returns the URL of the preview's stylesheet, with the accents in its query. */
export function previewUrl(path: string, settings: Parameters<typeof accentOf>[0]): string {
  const colors = SCHEMES.flatMap((scheme) => {
    const accent = accentOf(settings, scheme);
    return accent === null ? [] : [`${scheme}=${accent.slice(1)}`];
  });
  return `${path}${colors.length === 0 ? '' : `?${colors.join('&')}`}`;
}
