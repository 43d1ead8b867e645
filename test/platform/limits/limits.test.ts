import { expect } from 'chai';
import { LIMITS } from '../../../src/platform/limits/limits.ts';
import { readDocument, sectionOf, tableRows } from '../../support/documents.ts';

describe('the rate limits', () => {
  it('on guesses lock a user out for at most fifteen minutes', () => {
    for (const [name, { windowSeconds }] of Object.entries(LIMITS))
      if (/^(password|client-secret|set-up)/.test(name)) expect(windowSeconds, name).to.be.at.most(900);
  });

  it('equal those in docs/operations.md', () => {
    const rows = tableRows(sectionOf(readDocument('docs/operations.md'), '## Limits'));
    const numbers = rows.flatMap(([, max = '']) => [
      ...max.replaceAll(/ in 15 minutes| an hour/g, '').matchAll(/\d+/g),
    ]);
    expect(numbers.map(([number]) => Number(number))).to.have.members(Object.values(LIMITS).map(({ max }) => max));
  });
});
