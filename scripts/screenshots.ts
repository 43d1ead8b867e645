import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PAGES } from '../test/browser/pages.ts';
import { forEachReadmePicture } from '../test/browser/readme-pictures.ts';
import { openPage } from '../test/browser/visit.ts';
import { startChromium } from '../test/support/browser.ts';
import { createScene } from '../test/support/scene.ts';

const USAGE = `Usage: npm run screenshots -- [--directory DIRECTORY] [--only PATTERN]
       npm run screenshots -- --readme

Takes a screenshot of every page, light and dark, on a phone (360 pixels) and a desktop (1280 pixels).
The default directory is screenshots. With --readme, takes only the pictures for the documentation, and writes each to
docs/pictures with a file that contains its text.
`;

const WIDTHS = { phone: 360, desktop: 1280 } as const;
const HEIGHT = 800;

const { values } = parseArgs({
  options: {
    directory: { type: 'string', default: 'screenshots' },
    only: { type: 'string', default: '' },
    readme: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else if (values.readme) await takeReadmePictures(join(import.meta.dirname, '../docs/pictures'));
else
  await takeScreenshots(
    values.directory,
    PAGES.filter(({ name }) => new RegExp(values.only).test(name)),
  );

async function takeScreenshots(directory: string, pages: typeof PAGES): Promise<void> {
  if (values.only === '') rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const chromium = await startChromium();
  const scene = await createScene();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [device, width] of Object.entries(WIDTHS)) {
        for (const entry of pages) {
          const page = await openPage(scene, entry, chromium, {
            colorScheme,
            viewport: { width, height: HEIGHT },
            reducedMotion: 'reduce',
          });
          const name = entry.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
          await page.screenshot({ path: join(directory, `${name}.${device}.${colorScheme}.png`), fullPage: true });
          await page.context().close();
        }
      }
    }
    process.stdout.write(`${pages.length} pages in ${directory}/\n`);
  } finally {
    await chromium.close();
    await scene.close();
  }
}

async function takeReadmePictures(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const chromium = await startChromium();
  try {
    await forEachReadmePicture(chromium, async ({ name, text, png }) => {
      writeFileSync(join(directory, `${name}.png`), png);
      writeFileSync(join(directory, `${name}.txt`), `${createHash('sha256').update(png).digest('hex')}\n${text}\n`);
      process.stdout.write(`${join(directory, name)}.png\n`);
    });
  } finally {
    await chromium.close();
  }
}
