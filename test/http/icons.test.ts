import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeSprite, SPRITE_FILE } from '../../scripts/make-icons.ts';
import { navigationFor } from '../../src/http/pages/navigation.ts';
import { VIEWS_DIRECTORY } from '../../src/http/pages/views.ts';

describe('The icons', () => {
  const sprite = readFileSync(SPRITE_FILE, 'utf8');
  const spriteNames = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, name = '']) => name);
  const views = readdirSync(VIEWS_DIRECTORY, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ejs'),
  );
  const usedIcons = new Set([
    ...views.flatMap((file) =>
      [
        ...readFileSync(join(VIEWS_DIRECTORY, file), 'utf8').matchAll(
          /(?:'icon', \{ name|icon|good|info|warning|danger): '([a-z0-9-]+)'/g,
        ),
      ].map(([, name = '']) => name),
    ),
    ...navigationFor(['administrator', 'auditor'], '/').map(({ icon }) => icon),
  ]);

  it('equal the icons in the package and contain its license', () => {
    expect(sprite, 'run node --import tsx scripts/make-icons.ts').to.equal(makeSprite());
    expect(sprite).to.include('Permission to use, copy, modify').and.include('Cole Bemis');
    expect(/<!--([\s\S]*?)-->/.exec(sprite)?.[1]).not.to.include('--');
  });

  it('include every icon that a page uses', () => {
    expect(spriteNames).to.include.members([...usedIcons]);
  });

  it('include no unused icon', () => {
    const sources = [
      ...views.map((file) => join(VIEWS_DIRECTORY, file)),
      join(import.meta.dirname, '../../src/http/pages/navigation.ts'),
      join(import.meta.dirname, '../../src/config/scope-display.ts'), // contains the icons of scopes
    ].map((file) => readFileSync(file, 'utf8'));
    expect(spriteNames.filter((name) => !sources.some((source) => source.includes(`'${name}'`)))).to.deep.equal([]);
  });
});
