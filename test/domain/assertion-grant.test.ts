import { expect } from 'chai';
import fc from 'fast-check';
import { narrowToLimits, type IssuerLimit } from '../../src/domain/assertion-grant.ts';

const SCOPES = ['read', 'write', 'delete'] as const;
const SERVERS = ['https://a.example', 'https://b.example', 'https://c.example'] as const;

const aLimitBy = (by: IssuerLimit['by']): fc.Arbitrary<IssuerLimit> =>
  fc.record({
    by: fc.constant(by),
    scope: fc.option(fc.shuffledSubarray([...SCOPES])),
    resources: fc.option(fc.shuffledSubarray([...SERVERS])),
  });
const someLimits = fc.tuple(aLimitBy('issuer'), aLimitBy('assertion'));
const aRequest = fc.record({
  scope: fc.shuffledSubarray([...SCOPES]),
  resource: fc.shuffledSubarray([...SERVERS]),
});

const NO_REQUEST = { scope: [], resource: [] };
const limit = (changes: Partial<IssuerLimit>): IssuerLimit => ({
  by: 'issuer',
  scope: ['read', 'write'],
  resources: null,
  ...changes,
});

/** Returns the elements that all lists have in common, or null if there is no list. */
function commonElements(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  const [first, ...others] = lists.filter((list) => list !== null);
  return first === undefined ? null : first.filter((element) => others.every((list) => list.includes(element)));
}

describe('the access that a JWT from an issuer gives', () => {
  it('is exactly the requested one if a request specifies it, and otherwise what all limits have in common', () => {
    fc.assert(
      fc.property(aRequest, someLimits, (requested, limits) => {
        const access = narrowToLimits(requested, limits);
        if ('problem' in access) return;
        const commonScope = commonElements(limits.map(({ scope }) => scope));
        const commonResources = commonElements(limits.map(({ resources }) => resources));
        expect(access).to.deep.equal({
          scope: requested.scope.length > 0 ? requested.scope : commonScope,
          resource: requested.resource.length > 0 ? requested.resource : (commonResources ?? []),
        });
      }),
    );
  });

  it('is never beyond a limit, and never without a scope', () => {
    fc.assert(
      fc.property(aRequest, someLimits, (requested, limits) => {
        const access = narrowToLimits(requested, limits);
        if ('problem' in access) return;
        expect(access.scope).not.to.have.length(0);
        for (const { scope, resources } of limits) {
          if (scope !== null) expect(scope).to.include.members([...access.scope]);
          if (resources === null) continue;
          expect(resources).to.include.members([...access.resource]);
          expect(access.resource, 'an empty list means all resource servers').not.to.have.length(0);
        }
      }),
    );
  });

  it('is refused only if the request exceeds a limit, or if the limits leave nothing', () => {
    fc.assert(
      fc.property(aRequest, someLimits, (requested, limits) => {
        const access = narrowToLimits(requested, limits);
        if (!('problem' in access)) return;
        const { problem } = access;
        if (problem === 'no-scope-left') {
          expect(requested.scope).to.have.length(0);
          expect(commonElements(limits.map(({ scope }) => scope)) ?? []).to.have.length(0);
        } else if (problem === 'no-resource-left') {
          const withRequest = [requested.resource.length > 0 ? requested.resource : null];
          const lists = [...withRequest, ...limits.map(({ resources }) => resources)];
          expect(commonElements(lists)).to.have.length(0);
        } else {
          expect(access.missing).not.to.have.length(0);
          expect(access.allowed).not.to.include.members([...access.missing]);
        }
      }),
    );
  });

  it('has no limit where neither the issuer nor the JWT sets one', () => {
    const unlimited = [limit({ scope: null }), limit({ by: 'assertion', scope: null })];
    expect(narrowToLimits({ scope: ['read'], resource: [] }, unlimited)).to.deep.equal({
      scope: ['read'],
      resource: [],
    });
    expect(narrowToLimits({ scope: ['read'], resource: [...SERVERS] }, unlimited)).to.deep.equal({
      scope: ['read'],
      resource: SERVERS,
    });
    expect(narrowToLimits(NO_REQUEST, unlimited)).to.deep.equal({ problem: 'no-scope-left' });
  });

  it('is refused with the first limit that the request exceeds, and what exceeds it', () => {
    const limits = [limit({ scope: ['read', 'write'] }), limit({ by: 'assertion', scope: ['read'] })];
    expect(narrowToLimits({ scope: ['read', 'write'], resource: [] }, limits)).to.deep.equal({
      problem: 'scope-beyond',
      limit: 'assertion',
      missing: ['write'],
      allowed: ['read'],
    });
    expect(narrowToLimits({ scope: ['delete', 'write', 'read'], resource: [] }, limits)).to.deep.equal({
      problem: 'scope-beyond',
      limit: 'issuer',
      missing: ['delete'],
      allowed: ['read', 'write'],
    });
    const [a, b, c] = SERVERS;
    const serverLimits = [limit({ resources: [a, b] }), limit({ by: 'assertion', resources: [a] })];
    expect(narrowToLimits({ scope: [], resource: [a, b] }, serverLimits)).to.deep.equal({
      problem: 'resource-beyond',
      limit: 'assertion',
      missing: [b],
      allowed: [a],
    });
    expect(narrowToLimits({ scope: [], resource: [c, b, a] }, serverLimits)).to.deep.equal({
      problem: 'resource-beyond',
      limit: 'issuer',
      missing: [c],
      allowed: [a, b],
    });
  });

  it('is refused if a limit allows nothing, or if the limits have nothing in common', () => {
    const [a, b] = SERVERS;
    const noScopeLeft = { problem: 'no-scope-left' };
    const noResourceLeft = { problem: 'no-resource-left' };
    expect(narrowToLimits(NO_REQUEST, [limit({ scope: [] })])).to.deep.equal(noScopeLeft);
    expect(narrowToLimits(NO_REQUEST, [limit({ scope: ['read'] }), limit({ scope: ['write'] })])).to.deep.equal(
      noScopeLeft,
    );
    for (const resource of [[], [a]])
      expect(narrowToLimits({ scope: [], resource }, [limit({ resources: [] })])).to.deep.equal(noResourceLeft);
    expect(narrowToLimits(NO_REQUEST, [limit({ resources: [a] }), limit({ resources: [b] })])).to.deep.equal(
      noResourceLeft,
    );
  });
});
