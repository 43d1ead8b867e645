import { readLogoUrl } from '../../config/brand-logo.ts';
import { BRAND_LINKS } from '../../config/brand-settings.ts';
import {
  DEFAULT_ACCENT,
  readableColor,
  schemeColors,
  SCHEMES,
  type HexColor,
  type Scheme,
} from '../../config/brand-colors.ts';
import type { Config } from '../../config/config.ts';
import { settings as declaredSettings } from '../../config/settings.ts';
import type { MessageKey } from '../../language/catalog.ts';
import { createTranslators, type Translators } from '../../language/translators.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import { ASSET_PREFIX, createAsset, readAssets, type Asset, type Assets } from './assets.ts';

export type BrandSettings = Pick<
  Config,
  'brandName' | 'brandColor' | 'brandColorDark' | 'brandLogo' | 'brandLogoDark' | 'brandTexts' | 'brandLinks'
>;

/** The parts of the brand that are on every page. */
export interface PageBrand {
  readonly name: string;
  /** The URL of the image beside the name and in the browser tab. */
  readonly icon: string;
  /** The URL of the image for dark pages; null if they show the same image as light pages. */
  readonly iconDark: string | null;
  /** The URLs of the logos on light and dark pages; null if there is no logo. */
  readonly logos: Readonly<Record<Scheme, string | null>>;
  /** The URL of a stylesheet with the brand colors, or null. */
  readonly stylesheet: string | null;
  readonly links: readonly { readonly href: string; readonly label: MessageKey }[];
}

/** The brand that pages show, according to the current settings. */
export interface Brand {
  readonly settings: BrandSettings;
  /** The static files, and the files that are generated from the settings. */
  readonly assets: Assets;
  /** Translators that use the operator's texts. */
  readonly translators: Translators;
  pageParts(): PageBrand;
}

/** The settings of a server with the default brand. */
export const UNBRANDED: BrandSettings = {
  brandName: declaredSettings.brandName.default,
  brandColor: null,
  brandColorDark: null,
  brandLogo: null,
  brandLogoDark: null,
  brandTexts: {},
  brandLinks: {},
};

const STYLESHEET = 'brand.css';
const MARK = 'brand-mark.svg';
const LOGO = 'brand-logo';
const LOGO_DARK = 'brand-logo-dark';

/**
 * Creates the brand from the settings. The brand's files are generated on first use, and again on the first use after
 * a change of the settings.
 */
export function createBrand(settings: BrandSettings, files: Assets = readAssets()): Brand {
  let cache: { readonly inputs: readonly unknown[]; readonly assets: ReadonlyMap<string, Asset> } | undefined;

  function generatedAssets(): ReadonlyMap<string, Asset> {
    const { brandName, brandColor, brandColorDark, brandLogo, brandLogoDark } = settings;
    const inputs = [brandName, brandColor, brandColorDark, brandLogo, brandLogoDark];
    if (cache === undefined || inputs.some((value, index) => value !== cache?.inputs[index]))
      cache = { inputs, assets: generateAssets(settings) };
    return cache.assets;
  }

  function url(name: string): string {
    const asset = generatedAssets().get(name);
    return asset === undefined ? files.url(name) : `${ASSET_PREFIX}${name}?v=${asset.version}`;
  }

  return {
    settings,
    assets: { find: (name) => generatedAssets().get(name) ?? files.find(name), url },
    translators: createTranslators(settings),
    pageParts() {
      const { brandName, brandLinks } = settings;
      const [logo = null, logoDark = logo] = [LOGO, LOGO_DARK].map((name) =>
        generatedAssets().has(name) ? url(name) : undefined,
      );
      return {
        name: brandName,
        icon: url([LOGO, MARK].find((name) => generatedAssets().has(name)) ?? 'favicon.svg'),
        iconDark: logoDark === logo ? null : logoDark,
        stylesheet: generatedAssets().has(STYLESHEET) ? url(STYLESHEET) : null,
        logos: { light: logo, dark: logoDark },
        links: BRAND_LINKS.flatMap((name) => {
          const href = brandLinks[name];
          return href === undefined ? [] : [{ href, label: LINK_LABELS[name] }];
        }),
      };
    },
  };
}

const LINK_LABELS = { support: 'layout.support', privacy: 'layout.privacy', terms: 'layout.terms' } as const;

function generateAssets(settings: BrandSettings): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  const colors = SCHEMES.map((scheme) => [scheme, accentOf(settings, scheme)] as const);
  const rules = colors.flatMap(([scheme, accent]) => (accent === null ? [] : [cssRule(scheme, accent)]));
  if (rules.length > 0) assets.set(STYLESHEET, textAsset('text/css; charset=utf-8', rules.join('\n')));
  if (settings.brandName !== UNBRANDED.brandName) assets.set(MARK, textAsset('image/svg+xml', drawMark(settings)));
  for (const [name, url] of [
    [LOGO, settings.brandLogo],
    [LOGO_DARK, settings.brandLogoDark],
  ] as const) {
    const image = url === null ? undefined : readLogoUrl(url);
    if (image !== undefined) assets.set(name, createAsset(image.mediaType, Buffer.from(image.base64, 'base64')));
  }
  return assets;
}

function textAsset(contentType: string, text: string): Asset {
  return createAsset(contentType, Buffer.from(`${text}\n`));
}

/** Returns the accent color of a scheme, or null if the scheme keeps the colors of `grantlog.css`. */
export function accentOf(
  { brandColor, brandColorDark }: Pick<BrandSettings, 'brandColor' | 'brandColorDark'>,
  scheme: Scheme,
): HexColor | null {
  if (scheme === 'light') return brandColor;
  return brandColorDark ?? (brandColor === null ? null : readableColor(brandColor, 'dark'));
}

/** Reports whether the text is a color as `#rrggbb`, in lower case. */
export const isHexColor = (text: string): boolean => /^#[\da-f]{6}$/.test(text);

/**
 * Returns the CSS declarations of the accent color and of the colors that are derived from it.
 * @throws Error if a value is not a color, so that no other text ever gets into a stylesheet
 */
export function colorDeclarations(accent: HexColor, scheme: Scheme): string {
  const { accentStrong, onAccent, accentSoft } = schemeColors(accent, scheme);
  const colors = { accent, 'accent-strong': accentStrong, 'on-accent': onAccent, 'accent-soft': accentSoft };
  return Object.entries(colors)
    .map(([name, color]) => {
      if (!isHexColor(color)) throw new Error(`${name} must be a color`);
      return `--${name}: ${color};`;
    })
    .join(' ');
}

function cssRule(scheme: Scheme, accent: HexColor): string {
  const rule = `:root { ${colorDeclarations(accent, scheme)} }`;
  return scheme === 'light' ? rule : `@media (prefers-color-scheme: dark) { ${rule} }`;
}

/** Returns an SVG image of the brand name's initial on a square, for a brand without a logo. */
function drawMark({ brandName, brandColor }: BrandSettings): string {
  const initial = /[\p{L}\p{N}]/u.exec(brandName)?.[0] ?? '?';
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32">',
    `<rect width="32" height="32" rx="8" fill="${brandColor ?? DEFAULT_ACCENT}"/>`,
    '<text x="16" y="22.5" fill="#fff" font-family="system-ui,sans-serif" font-size="19" font-weight="650"',
    ` text-anchor="middle">${escapeHtml(initial.toUpperCase())}</text></svg>`,
  ].join('');
}
