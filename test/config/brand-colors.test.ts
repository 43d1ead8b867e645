import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { configFromSettings } from '../../src/config/config.ts';
import { colorDeclarations } from '../../src/http/pages/brand.ts';
import { english } from '../../src/language/english.ts';
import { colorProblem, readableColor, schemeColors, SCHEMES, type HexColor } from '../../src/config/brand-colors.ts';

const MIN_CONTRAST = 4.5;

const stylesheet = readFileSync(new URL('../../static/grantlog.css', import.meta.url), 'utf8');

/** Returns the values of a variable in the stylesheet's rules for the light and the dark scheme. */
function declaredColors(name: string): { readonly light: string; readonly dark: string } {
  const [light = '', dark = ''] = [...stylesheet.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(
    ([, value = '']) => value,
  );
  return { light, dark };
}

/** Computes the relative luminance defined by WCAG 2.2, independently of the source. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = (color.match(/[0-9a-f]{2}/g) ?? []).map((hex) => {
    const value = Number.parseInt(hex, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(first: string, second: string): number {
  const [a, b] = [luminance(first) + 0.05, luminance(second) + 0.05];
  return a > b ? a / b : b / a;
}

/** Reports whether green is the strongest of the three channels. */
function isGreen(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/g) ?? []).map((hex) => Number.parseInt(hex, 16));
  return green > red && green > blue;
}

const arbitraryColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value): HexColor => `#${value.toString(16).padStart(6, '0')}`);

describe('A brand color', () => {
  const backgrounds = ['paper', 'surface', 'sunken'].map(declaredColors);

  it('is refused if and only if its contrast with a background in the stylesheet is below 4.5:1', () => {
    fc.assert(
      fc.property(arbitraryColor, fc.constantFrom(...SCHEMES), (color, scheme) => {
        const minContrast = Math.min(...backgrounds.map((background) => contrast(color, background[scheme])));
        expect(colorProblem(color, scheme) === undefined).to.equal(minContrast >= MIN_CONTRAST);
      }),
    );
  });

  it('is refused with its contrast ratio and a suggestion of an accepted color', () => {
    expect(english.text(colorProblem('#ffcc00', 'light') ?? '')).to.equal(
      '#ffcc00 has a contrast of only 1.32:1 with the light pages, and text needs 4.5:1 (WCAG AA); choose a darker ' +
        `one, such as ${readableColor('#ffcc00', 'light')}`,
    );
    expect(english.text(colorProblem('#1d4ed8', 'dark') ?? ''))
      .to.include('2.55:1 with the dark pages')
      .and.include('choose a lighter one');
  });

  it('always has a readable shade, which is the color itself if that is readable', () => {
    fc.assert(
      fc.property(arbitraryColor, fc.constantFrom(...SCHEMES), (color, scheme) => {
        const shade = readableColor(color, scheme);
        expect(colorProblem(shade, scheme)).to.equal(undefined);
        if (colorProblem(color, scheme) === undefined) expect(shade).to.equal(color);
      }),
    );
  });

  it('never changes the success color, which is a readable green in both schemes', () => {
    const rules = ['notice--good', 'flash', 'verdict-good', 'badge--good'].map(
      (name) => new RegExp(String.raw`\.${name} \{[^}]*\}`).exec(stylesheet)?.[0] ?? '',
    );
    for (const rule of rules) expect(rule).to.include('var(--good-').and.not.include('accent');
    for (const scheme of SCHEMES) {
      expect(colorDeclarations('#9a1f5c', scheme)).to.not.include('good');
      const [text, softColor] = [declaredColors('good-strong')[scheme], declaredColors('good-soft')[scheme]];
      expect(contrast(text, softColor)).to.be.at.least(MIN_CONTRAST);
      for (const background of backgrounds) expect(contrast(text, background[scheme])).to.be.at.least(MIN_CONTRAST);
      for (const color of [text, softColor]) expect(color).to.satisfy(isGreen, color);
    }
  });

  it('makes text readable on buttons, under the pointer and on tinted backgrounds', () => {
    fc.assert(
      fc.property(arbitraryColor, fc.constantFrom(...SCHEMES), (color, scheme) => {
        const { accent, accentStrong, onAccent, accentSoft } = schemeColors(readableColor(color, scheme), scheme);
        const pairs = [
          [onAccent, accent],
          [onAccent, accentStrong],
          [accentStrong, accentSoft],
          [declaredColors('muted')[scheme], accentSoft],
          [declaredColors('ink')[scheme], accentSoft],
          ...backgrounds.map((background) => [accentStrong, background[scheme]] as const),
        ] as const;
        for (const [text, background] of pairs) expect(contrast(text, background)).to.be.at.least(MIN_CONTRAST);
      }),
    );
  });

  it('has a tinted background that differs from the page backgrounds', () => {
    fc.assert(
      fc.property(arbitraryColor, fc.constantFrom(...SCHEMES), (color, scheme) => {
        const { accentSoft } = schemeColors(readableColor(color, scheme), scheme);
        const [, surface] = backgrounds;
        expect(contrast(accentSoft, surface?.[scheme] ?? '')).to.be.at.least(1.05);
      }),
    );
    expect(schemeColors(readableColor('#7a1fa2', 'dark'), 'dark').accentSoft).to.equal('#352c40');
  });

  it('is refused at startup if its contrast is too low, and is otherwise converted to lowercase', () => {
    expect(() => configFromSettings({ brandColor: '#eeeeee' })).to.throw('brandColor: #eeeeee has a contrast of only');
    expect(configFromSettings({ brandColor: '#9A1F5C' }).brandColor).to.equal('#9a1f5c');
  });
});
