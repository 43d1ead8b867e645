/**
 * Writes static/icons.svg, the icons of the pages, from the package lucide-static:
 * `node --import tsx scripts/make-icons.ts`. A test checks that the file is up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Lucide names, which pages pass to views/partials/icon.ejs. */
const ICONS = [
  'app-window',
  'bell',
  'book-open',
  'calendar',
  'circle-check',
  'circle-user',
  'circle-x',
  'clock',
  'code-xml',
  'credit-card',
  'download',
  'file-text',
  'house',
  'image',
  'info',
  'key-round',
  'log-in',
  'log-out',
  'mail',
  'map-pin',
  'menu',
  'message-square',
  'pencil',
  'plus',
  'scroll-text',
  'search',
  'shield-check',
  'sliders-horizontal',
  'triangle-alert',
  'user-plus',
  'users',
];

const LUCIDE = dirname(fileURLToPath(import.meta.resolve('lucide-static/package.json')));

const STROKE = 'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';

export const SPRITE_FILE = fileURLToPath(new URL('../static/icons.svg', import.meta.url));

/** Creates an SVG document with a symbol for each icon, and the license, which must be included. */
export function makeSprite(): string {
  const symbols = ICONS.map(
    (name) => `<symbol id="${name}" viewBox="0 0 24 24" ${STROKE}>${extractShapes(name)}</symbol>`,
  );
  // Two hyphens would end the comment.
  const license = readFileSync(join(LUCIDE, 'LICENSE'), 'utf8').trim().replaceAll(/-{2,}/g, '* * *');
  return `${[
    '<!--',
    'Icons of Lucide (lucide.dev).',
    '',
    license,
    '-->',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    ...symbols,
    '</svg>',
  ].join('\n')}\n`;
}

function extractShapes(name: string): string {
  const svg = readFileSync(join(LUCIDE, 'icons', `${name}.svg`), 'utf8');
  const shapes = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(svg)?.[1];
  if (shapes === undefined) throw new Error(`${name} has no shapes`);
  return shapes.replaceAll(/\s*\n\s*/g, '').replaceAll(' />', '/>');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(SPRITE_FILE, makeSprite());
