import { expect } from 'chai';
import fc from 'fast-check';
import { CLAIMS_BOUNDS, parseClaimsParameter } from '../../../src/oauth/openid/claims-parameter.ts';
import { boundsProblem } from '../../../src/oauth/openid/json-bounds.ts';
import { englishProblem } from '../../support/english-problems.ts';

const isKnown = (name: string): boolean => ['email', 'name', 'auth_time', 'acr'].includes(name);
const parse = (value: unknown) => parseClaimsParameter(JSON.stringify(value), isKnown);
const nestedJson = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('the claims parameter (OpenID Connect Core §5.5)', () => {
  it('requests claims for the ID token and for userinfo, as essential and with values', () => {
    expect(
      parse({
        id_token: { auth_time: { essential: true }, acr: { values: ['phr', 'pwd'] } },
        userinfo: { email: null, name: { value: 'Ada' } },
      }),
    ).to.deep.equal({
      idToken: [
        { name: 'auth_time', isEssential: true, values: null },
        { name: 'acr', isEssential: false, values: ['phr', 'pwd'] },
      ],
      userinfo: [
        { name: 'email', isEssential: false, values: null },
        { name: 'name', isEssential: false, values: ['Ada'] },
      ],
    });
  });

  it('can contain unknown members, which are ignored', () => {
    const parameter = { userinfo: { email: { purpose: 'x', essential: true }, 'shoe size': null }, other: [1] };
    expect(parse(parameter)).to.deep.equal({
      idToken: [],
      userinfo: [{ name: 'email', isEssential: true, values: null }],
    });
  });

  it('is refused unless it is an object of objects of claims', () => {
    const invalidValues = [null, 1, 'x', [], { id_token: [] }, { id_token: 'email' }, { userinfo: { email: 'yes' } }];
    const invalidMembers = [{ userinfo: { email: { essential: 'yes' } } }, { userinfo: { email: { values: 'x' } } }];
    for (const value of [...invalidValues, ...invalidMembers])
      expect(parse(value), JSON.stringify(value)).to.have.key('expected');
    for (const text of ['', '{', '{"id_token":{}} x', 'undefined'])
      expect(parseClaimsParameter(text, isKnown), text).to.have.key('expected');
  });

  it('is refused if it is too long, too deeply nested or has too many members', () => {
    const { maxDepth, maxLength } = CLAIMS_BOUNDS;
    const manyMembers = `{"userinfo":{${Array.from({ length: 10_000 }, (_, index) => `"${index}":0`).join(',')}}}`;
    expect(englishProblem(boundsProblem(nestedJson(50), CLAIMS_BOUNDS))).to.equal(
      `at most ${maxDepth} levels of nesting`,
    );
    expect(englishProblem(boundsProblem(manyMembers, CLAIMS_BOUNDS))).to.equal(`at most ${maxLength} characters`);
    const bounds = { ...CLAIMS_BOUNDS, maxLength: manyMembers.length };
    expect(englishProblem(boundsProblem(manyMembers, bounds))).to.equal('at most 200 members');
    expect(parseClaimsParameter(nestedJson(50), isKnown)).to.have.key('expected');
    expect(parseClaimsParameter(manyMembers, isKnown)).to.have.key('expected');
  });

  it('is limited by exact counts of members and levels, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const [depth, members] = [measureDepth(value), countMembers(value)];
        const bounds = { maxLength: Infinity, maxDepth: depth, maxMembers: members };
        const text = JSON.stringify(value);
        expect(boundsProblem(text, bounds)).to.equal(undefined);
        if (depth > 0) expect(boundsProblem(text, { ...bounds, maxDepth: depth - 1 })).to.have.property('key');
        if (members > 0) expect(boundsProblem(text, { ...bounds, maxMembers: members - 1 })).to.have.property('key');
      }),
    );
  });
});

function children(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function measureDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...children(value).map(measureDepth));
}

/** Returns the number of objects and lists, plus the number of their members except the first of each. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const nestedValues = children(value);
  return (
    1 + Math.max(0, nestedValues.length - 1) + nestedValues.reduce((sum: number, child) => sum + countMembers(child), 0)
  );
}
