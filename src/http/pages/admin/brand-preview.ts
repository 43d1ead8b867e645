import { SCHEMES, type HexColor, type Scheme } from '../../../config/brand-colors.ts';
import { colorDeclarations } from '../brand.ts';
import type { Assets } from '../assets.ts';

/**
 * A stylesheet that shows both schemes on one page, whichever the reader prefers. Besides the accents, it has the
 * colors of the rules for `:root` in `grantlog.css`, the first of which is for light pages.
 * @param accents the accent of each scheme; null for the accent of `grantlog.css`
 */
export async function previewStylesheet(
  assets: Pick<Assets, 'find'>,
  accents: Readonly<Record<Scheme, HexColor | null>>,
): Promise<string> {
  const stylesheet = await assets.find('grantlog.css')?.encoded('identity');
  const roots = [...(stylesheet?.toString() ?? '').matchAll(/:root \{([^}]*)\}/g)].map(([, root = '']) => root);
  const rules = SCHEMES.map((scheme, index) => {
    const accent = accents[scheme];
    const accentColors = accent === null ? '' : colorDeclarations(accent, scheme);
    return `.brand-preview--${scheme} {${roots[index] ?? ''} ${accentColors} color-scheme: ${scheme}; }`;
  });
  return `${rules.join('\n')}\n`;
}
