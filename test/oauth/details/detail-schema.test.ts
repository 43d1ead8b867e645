import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { readDetailSchema } from '../../../src/oauth/details/detail-schema.ts';
import { PAYMENT, RENT } from '../../support/detail-types.ts';
import { english } from '../../../src/language/english.ts';

function readSchema(schema: unknown) {
  const result = readDetailSchema(JSON.stringify(schema));
  return 'problem' in result ? expect.fail(result.problem.key) : result;
}

function problemWith(schema: unknown): string {
  const result = readDetailSchema(JSON.stringify(schema));
  return 'problem' in result ? english.text(result.problem) : expect.fail('the schema was accepted');
}

describe('the schema of authorization details', () => {
  it('accepts valid values, and reports the first invalid member of any other value', () => {
    const schema = readSchema(PAYMENT.schema);
    expect(schema.findProblem(RENT)).to.equal(undefined);
    const amount = { currency: 'EUR', amount: 'all of it' };
    for (const [change, member, keyword] of [
      [{ creditorName: '' }, 'creditorName', 'minLength'],
      [{ creditorName: undefined }, '', 'required'],
      [{ instructedAmount: amount }, 'instructedAmount.amount', 'pattern'],
      [{ actions: ['initiate', 'steal'] }, 'actions.1', 'enum'],
      [{ iban: 'DE00' }, '', 'additionalProperties'],
    ] as const)
      expect(schema.findProblem({ ...RENT, ...change })).to.deep.equal({ member, keyword });
  });

  it('refuses additional members even if they have the name of an inherited property, at every depth', () => {
    const schema = readSchema({
      ...PAYMENT.schema,
      properties: { ...PAYMENT.schema.properties, nested: { properties: { a: {} }, additionalProperties: false } },
    });
    for (const name of Object.getOwnPropertyNames(Object.prototype)) {
      const extraMembers = JSON.parse(`{"${name}":{"unchecked":true}}`) as object;
      const detail = Object.defineProperties({ ...RENT }, Object.getOwnPropertyDescriptors(extraMembers));
      expect(schema.findProblem(detail), name).to.deep.equal({ member: '', keyword: 'additionalProperties' });
      expect(schema.findProblem({ ...RENT, nested: extraMembers }), name).to.deep.equal({
        member: 'nested',
        keyword: 'additionalProperties',
      });
    }
  });

  it('refuses keywords that could refer to other schemas, run code or take exponential time', () => {
    for (const keyword of [
      '$ref',
      '$dynamicRef',
      '$defs',
      'extends',
      'patternProperties',
      'unevaluatedProperties',
      'x',
    ])
      expect(problemWith({ type: 'object', properties: { a: { [keyword]: {} } } }), keyword).to.include(keyword);
  });

  it('refuses a value that is not a schema', () => {
    for (const schema of [
      [],
      'object',
      { type: 'objekt' },
      { type: [] },
      { properties: [] },
      { anyOf: [] },
      { items: [{}] },
      { required: 'a' },
      { minLength: -1 },
      { multipleOf: 0 },
      { enum: [] },
      { format: 'hostname' },
      { properties: { a: 1 } },
      { additionalProperties: false, properties: { amount: {} } },
    ])
      expect(problemWith(schema), JSON.stringify(schema)).to.match(/\.$/);
    expect(readDetailSchema('{')).to.have.property('problem');
    expect(readDetailSchema(`{"x":${'['.repeat(200)}${']'.repeat(200)}}`)).to.have.property('problem');
  });

  it('matches patterns in linear time, and refuses patterns that do not allow this', () => {
    const schema = readSchema({ properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '^(\\w+\\s?)*$' } } });
    const text = `${'a'.repeat(4_000)}!`; // takes exponential time with JavaScript regular expressions
    expect(schema.findProblem({ a: text })).to.deep.equal({ member: 'a', keyword: 'pattern' });
    expect(schema.findProblem({ b: text })).to.deep.equal({ member: 'b', keyword: 'pattern' });
    expect(schema.findProblem({ a: 'aaa', b: 'some words' })).to.equal(undefined);
    for (const pattern of ['(?=a)a', '(a)\\1', '(', '\\w{1000}', '(\\w{100}){10}'])
      expect(problemWith({ pattern }), pattern).to.include('pattern');
    const schemas = Array.from({ length: 5 }, (_, index) => ({ pattern: `^[a-z]{400}${index}$` }));
    expect(problemWith({ allOf: schemas })).to.include('too large');
  });

  it('checks formats', () => {
    const schema = readSchema({
      properties: {
        at: { format: 'date-time' },
        on: { format: 'date' },
        by: { format: 'email' },
        see: { format: 'uri' },
      },
    });
    const validDetail = { at: '2026-11-28T15:00:00Z', on: '2026-11-28', by: 'a@b', see: 'https://a.example' };
    expect(schema.findProblem(validDetail)).to.equal(undefined);
    for (const [member, value] of Object.entries({ at: 'now', on: '2026-13-01', by: 'nobody', see: 'there' }))
      expect(schema.findProblem({ [member]: value }), member).to.deep.equal({ member, keyword: 'format' });
  });

  it('agrees with Ajv for random schemas and values', () => {
    const ajv = new Ajv({ strict: false });
    const leaf = fc.constantFrom<object>(
      { type: 'string', minLength: 2 },
      { type: 'integer', minimum: 3 },
      { enum: ['a', 1, null] },
      { const: true },
      { type: ['boolean', 'null'] },
      { pattern: '^a+$' },
      { not: { type: 'string' } },
    );
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof({ maxDepth: 3 }, leaf, tie('object'), tie('list'), tie('any'), tie('choice')),
      object: fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'type'), tie('schema')),
        required: fc.subarray(['a', 'b']),
      }),
      list: fc.record({ type: fc.constant('array'), items: tie('schema'), uniqueItems: fc.boolean() }),
      any: fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      choice: fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    }));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>('a', 'aa', 'b', 1, 4, true, null),
        fc.dictionary(fc.constantFrom('a', 'b', 'type'), tie('value')),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(schema, fc.dictionary(fc.constantFrom('a', 'b', 'type'), value), (generatedSchema, object) => {
        const candidate = JSON.parse(JSON.stringify(object)) as object; // some generated objects have no prototype
        const isValid = ajv.compile(generatedSchema as object)(candidate);
        expect(readSchema(generatedSchema).findProblem(candidate) === undefined).to.equal(isValid);
      }),
      { numRuns: 500 },
    );
  });
});
