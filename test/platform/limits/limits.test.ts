import { expect } from 'chai';
import { LIMITS } from '../../../src/platform/limits/limits.ts';
import { readDocument, sectionOf, tableRows } from '../../support/documents.ts';

describe('the limits', () => {
  it('on guesses lock nobody out for longer than a quarter of an hour', () => {
    for (const [name, { windowSeconds }] of Object.entries(LIMITS))
      if (/^(password|client-secret|set-up)/.test(name)) expect(windowSeconds, name).to.be.at.most(900);
  });

  it('are the ones in docs/operations.md', () => {
    const rows = tableRows(sectionOf(readDocument('docs/operations.md'), '## Limits'));
    const numbers = rows.flatMap(([, most = '']) => [
      ...most.replaceAll(/ in 15 minutes| an hour/g, '').matchAll(/\d+/g),
    ]);
    expect(numbers.map(([number]) => Number(number))).to.have.members(Object.values(LIMITS).map(({ most }) => most));
  });
});
