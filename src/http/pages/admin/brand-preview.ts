import { SCHEMES, type HexColor, type Scheme } from '../../../config/brand-colors.ts';
import { colorDeclarations } from '../brand.ts';
import type { Assets } from '../assets.ts';

/**
 * A stylesheet that shows both schemes on one page, whichever the reader prefers. The other colours are those of the
 * rules for `:root` in `grantlog.css`, of which the first is for light pages.
 * @param accents null for the colour of `grantlog.css`
 */
export async function previewStylesheet(
  assets: Pick<Assets, 'find'>,
  accents: Readonly<Record<Scheme, HexColor | null>>,
): Promise<string> {
  const stylesheet = await assets.find('grantlog.css')?.encoded('identity');
  const roots = [...(stylesheet?.toString() ?? '').matchAll(/:root \{([^}]*)\}/g)].map(([, root = '']) => root);
  const rules = SCHEMES.map((scheme, index) => {
    const accent = accents[scheme];
    const own = accent === null ? '' : colorDeclarations(accent, scheme);
    return `.brand-preview--${scheme} {${roots[index] ?? ''} ${own} color-scheme: ${scheme}; }`;
  });
  return `${rules.join('\n')}\n`;
}
