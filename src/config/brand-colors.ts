import { message, type Text } from '../language/message.ts';

/** A color as `#rrggbb`, in lower case. */
export type HexColor = `#${string}`;

export const SCHEMES = ['light', 'dark'] as const;

export type Scheme = (typeof SCHEMES)[number];

/** The page backgrounds behind text in the brand color, as in `static/grantlog.css`. */
const BACKGROUNDS: Readonly<Record<Scheme, Readonly<Record<'paper' | 'surface' | 'sunken', HexColor>>>> = {
  light: { paper: '#f8f7f4', surface: '#ffffff', sunken: '#f2f0eb' },
  dark: { paper: '#111315', surface: '#191c1f', sunken: '#0d0f10' },
};

/** The color of links and buttons on light pages without a brand, as in `static/grantlog.css`. */
export const DEFAULT_ACCENT: HexColor = '#0b6b5b';

/** The minimum contrast between text and its background (WCAG 2.2, success criterion 1.4.3, level AA). */
const MIN_CONTRAST = 4.5;

/** The number of steps between a color and the scheme's most readable color. */
const STEPS = 50;

/** The colors of a scheme, derived from the brand color so that text is readable. */
export interface SchemeColors {
  /** Links, buttons and marks. */
  readonly accent: HexColor;
  /** Links, buttons and marks under the pointer, and text on `accentSoft`. */
  readonly accentStrong: HexColor;
  /** Text on `accent` and `accentStrong`. */
  readonly onAccent: HexColor;
  /** The background of selected items. It differs from the page backgrounds. */
  readonly accentSoft: HexColor;
}

const WHITE: HexColor = '#ffffff';
const BLACK: HexColor = '#000000';

/** The colors of button text and secondary text, and the color that is mixed into others to make them readable. */
const TEXT_COLORS: Readonly<
  Record<Scheme, { readonly onAccent: HexColor; readonly muted: HexColor; readonly mostReadable: HexColor }>
> = {
  light: { onAccent: WHITE, muted: '#5b6067', mostReadable: BLACK },
  dark: { onAccent: '#0d0f10', muted: '#a6abb1', mostReadable: WHITE },
};

/** The candidate shares of the brand color in `accentSoft`, in percent, from most to least visible. */
const SOFT_SHARES: Readonly<Record<Scheme, readonly number[]>> = {
  light: [12, 11, 10, 9, 8, 7, 6, 5],
  dark: [20, 18, 16, 14, 12, 10, 8],
};

/** Derives the colors of a scheme from its accent. `accent` must be readable: see `colorProblem`. */
export function schemeColors(accent: HexColor, scheme: Scheme): SchemeColors {
  const { onAccent, muted, mostReadable } = TEXT_COLORS[scheme];
  const accentStrong = mix(accent, mostReadable, 0.3);
  const candidates = SOFT_SHARES[scheme].map((share) => mix(BACKGROUNDS[scheme].surface, accent, share / 100));
  const isReadable = (soft: HexColor): boolean =>
    [accentStrong, muted].every((text) => contrast(text, soft) >= MIN_CONTRAST);
  const accentSoft = candidates.find(isReadable) ?? candidates.at(-1) ?? accent;
  return { accent, accentStrong, onAccent, accentSoft };
}

/** Returns the color itself if text in this color is readable, or else the nearest lighter or darker color. */
export function readableColor(color: HexColor, scheme: Scheme): HexColor {
  const candidates = Array.from({ length: STEPS + 1 }, (_, step) =>
    mix(color, TEXT_COLORS[scheme].mostReadable, step / STEPS),
  );
  return (
    candidates.find((candidate) => contrastOnPages(candidate, scheme) >= MIN_CONTRAST) ??
    TEXT_COLORS[scheme].mostReadable
  );
}

/** Returns the reason that text in this color is not readable, or undefined if it is readable. */
export function colorProblem(color: HexColor, scheme: Scheme): Text | undefined {
  const ratio = contrastOnPages(color, scheme);
  if (ratio >= MIN_CONTRAST) return undefined;
  return message('setting-problem.color', {
    color,
    ratio: roundDown(ratio),
    scheme,
    minimum: String(MIN_CONTRAST),
    instead: readableColor(color, scheme),
  });
}

/** Returns the lowest contrast between the color and a page background. */
function contrastOnPages(color: HexColor, scheme: Scheme): number {
  return Math.min(...Object.values(BACKGROUNDS[scheme]).map((background) => contrast(color, background)));
}

/** Returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2). */
function contrast(first: HexColor, second: HexColor): number {
  const [lighter = 0, darker = 0] = [luminance(first), luminance(second)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: HexColor): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes two colors: a share of 0 yields the first one, and a share of 1 the second one. */
function mix(first: HexColor, second: HexColor, share: number): HexColor {
  const secondChannels = channels(second);
  const mixedChannels = channels(first).map((channel, index) =>
    Math.round(channel + ((secondChannels[index] ?? 0) - channel) * share),
  );
  return `#${mixedChannels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: HexColor): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** Rounds down, so that a ratio below the limit is never shown as the limit. */
function roundDown(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toString();
}
