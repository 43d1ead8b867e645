import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeInChromium } from '../support/browser.ts';
import { readAllDocuments, ROOT } from '../support/documents.ts';
import { forEachReadmePicture } from './readme-pictures.ts';

const PICTURES = join(ROOT, 'docs/pictures');

describeInChromium('The pictures in the documents', (chromium) => {
  it('show the current pages; npm run screenshots -- --readme updates them', async () => {
    const allText = readAllDocuments()
      .map(({ text }) => text)
      .join('\n');
    const names: string[] = [];
    await forEachReadmePicture(chromium, async ({ name, text }) => {
      names.push(`${name}.png`, `${name}.txt`);
      const [hash, storedText] = readFileSync(join(PICTURES, `${name}.txt`), 'utf8').split('\n');
      expect(storedText, name).to.equal(text);
      expect(hash, `${name}.png matches its text`).to.equal(
        createHash('sha256')
          .update(readFileSync(join(PICTURES, `${name}.png`)))
          .digest('hex'),
      );
      expect(allText).to.match(new RegExp(`!\\[[^\\]]{20,}\\]\\(pictures/${name}\\.png\\)`));
    });
    expect(readdirSync(PICTURES).toSorted()).to.deep.equal(names.toSorted());
  });
});
