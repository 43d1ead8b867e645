import { expect } from 'chai';
import { formatDetailTypes, readDetailTypes } from '../../../src/oauth/details/entered-types.ts';
import { ACCOUNTS, PAYMENT } from '../../support/detail-types.ts';
import { english } from '../../../src/language/english.ts';

const read = (entered: unknown, taken: readonly string[] = []) => readDetailTypes(JSON.stringify(entered), taken);
const problemWith = (entered: unknown, taken: readonly string[] = []): string => {
  const found = read(entered, taken);
  return 'problem' in found ? english.text(found.problem) : expect.fail('it was read');
};

describe('the types that somebody enters for a resource server', () => {
  it('are read, and formatted as they were entered', () => {
    const found = read([PAYMENT, ACCOUNTS]);
    const types = 'types' in found ? found.types : expect.fail(found.problem.key);
    expect(types.map(({ type }) => type)).to.deep.equal([PAYMENT.type, ACCOUNTS.type]);
    expect(JSON.parse(formatDetailTypes(types))).to.deep.equal([PAYMENT, ACCOUNTS]);
    expect(readDetailTypes(formatDetailTypes(types), [])).to.deep.equal({ types });
    expect(readDetailTypes(' ', [])).to.deep.equal({ types: [] });
    expect(formatDetailTypes()).to.equal('');
  });

  it('belong to one resource server, and are named once', () => {
    expect(problemWith([PAYMENT], [PAYMENT.type])).to.include('declared already');
    expect(problemWith([ACCOUNTS, ACCOUNTS])).to.include('declared already');
  });

  it('are refused if anything is missing, unknown or too long', () => {
    for (const entered of [
      { ...PAYMENT },
      ['payment'],
      [{ ...PAYMENT, schema: undefined }],
      [{ ...PAYMENT, more: 1 }],
      [{ ...PAYMENT, type: 'a payment' }],
      [{ ...PAYMENT, type: 'x'.repeat(129) }],
      [{ ...PAYMENT, schema: { $ref: '#' } }],
      Array.from({ length: 21 }, (_, index) => ({ ...ACCOUNTS, type: `t${index}` })),
      Array.from({ length: 19 }, (_, index) => ({
        ...ACCOUNTS,
        type: `t${index}`,
        schema: { description: 'é'.repeat(600) },
      })),
    ])
      expect(problemWith(entered)).to.match(/\.$/);
    expect(readDetailTypes('[', [])).to.have.property('problem');
    expect(readDetailTypes('['.repeat(200), [])).to.have.property('problem');
    expect(readDetailTypes(' '.repeat(40_000) + '[]', [])).to.have.property('problem');
  });

  it('need a sentence whose braces surround paths of members', () => {
    for (const sentence of [
      '',
      'Pay {amount',
      'Pay amount}',
      'Pay {}',
      'Pay {{amount}}',
      'Pay {a b}',
      'Pay\u202e {amount}',
      'Pay {a..b}',
      `Pay ${'{a}'.repeat(11)}`,
      'x'.repeat(301),
    ])
      expect(problemWith([{ ...PAYMENT, sentence }]), sentence).to.match(/\.$/);
  });
});
