import { expect } from 'chai';
import { formatDetailTypes, readDetailTypes } from '../../../src/oauth/details/entered-types.ts';
import { ACCOUNTS, PAYMENT } from '../../support/detail-types.ts';
import { english } from '../../../src/language/english.ts';

const readTypes = (types: unknown, otherTypes: readonly string[] = []) =>
  readDetailTypes(JSON.stringify(types), otherTypes);
const problemWith = (types: unknown, otherTypes: readonly string[] = []): string => {
  const result = readTypes(types, otherTypes);
  return 'problem' in result ? english.text(result.problem) : expect.fail('the types were accepted');
};

describe('the types that an operator enters for a resource server', () => {
  it('are formatted as they were entered', () => {
    const result = readTypes([PAYMENT, ACCOUNTS]);
    const types = 'types' in result ? result.types : expect.fail(result.problem.key);
    expect(types.map(({ type }) => type)).to.deep.equal([PAYMENT.type, ACCOUNTS.type]);
    expect(JSON.parse(formatDetailTypes(types))).to.deep.equal([PAYMENT, ACCOUNTS]);
    expect(readDetailTypes(formatDetailTypes(types), [])).to.deep.equal({ types });
    expect(readDetailTypes(' ', [])).to.deep.equal({ types: [] });
    expect(formatDetailTypes()).to.equal('');
  });

  it('belong to one resource server, and must be unique', () => {
    expect(problemWith([PAYMENT], [PAYMENT.type])).to.include('already declared');
    expect(problemWith([ACCOUNTS, ACCOUNTS])).to.include('already declared');
  });

  it('are refused if a member is missing, unknown or too long', () => {
    for (const types of [
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
      expect(problemWith(types)).to.match(/\.$/);
    expect(readDetailTypes('[', [])).to.have.property('problem');
    expect(readDetailTypes('['.repeat(200), [])).to.have.property('problem');
    expect(readDetailTypes(' '.repeat(40_000) + '[]', [])).to.have.property('problem');
  });

  it('need a sentence in which braces enclose member paths', () => {
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
