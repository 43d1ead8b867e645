import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { LIMITS } from '../../../src/platform/limits/limits.ts';

describe('the limits', () => {
  it('on guesses lock nobody out for longer than a quarter of an hour', () => {
    for (const [name, { windowSeconds }] of Object.entries(LIMITS))
      if (/^(password|client-secret|set-up)/.test(name)) expect(windowSeconds, name).to.be.at.most(900);
  });

  it('are the ones in the README', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
    const rows =
      /## Limits\n([\s\S]*?)\n## /
        .exec(readme)?.[1]
        ?.split('\n')
        .filter((line) => line.startsWith('|')) ?? [];
    const said = rows
      .flatMap((row) => [...(row.split('|')[2] ?? '').replace(/ in 15 minutes| an hour/g, '').matchAll(/\d+/g)])
      .map(([number]) => Number(number));
    expect(said).to.have.members(Object.values(LIMITS).map(({ most }) => most));
  });
});
