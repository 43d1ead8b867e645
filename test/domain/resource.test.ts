import { expect } from 'chai';
import fc from 'fast-check';
import { narrowResources, resourceMember, areSameResources } from '../../src/domain/resource.ts';

const someUris = fc.shuffledSubarray(['https://a.example', 'https://b.example', 'https://c.example']);

describe('the resource servers of a credential', () => {
  it('are the granted resource servers if none are requested', () => {
    fc.assert(
      fc.property(someUris, (grantedUris) => expect(narrowResources([], grantedUris)).to.equal(grantedUris) && true),
    );
  });

  it('are the requested resource servers if the grant allows them all, and undefined otherwise', () => {
    fc.assert(
      fc.property(someUris, someUris, (requestedUris, grantedUris) => {
        fc.pre(requestedUris.length > 0);
        const isAllowed = grantedUris.length === 0 || requestedUris.every((uri) => grantedUris.includes(uri));
        expect(narrowResources(requestedUris, grantedUris)).to.deep.equal(isAllowed ? requestedUris : undefined);
      }),
    );
  });

  it('are equal if and only if they differ at most in their order', () => {
    fc.assert(
      fc.property(someUris, someUris, (left, right) => {
        expect(areSameResources(left, right)).to.equal(left.toSorted().join(' ') === right.toSorted().join(' '));
      }),
    );
  });

  it('are a member of an event only if there are any', () => {
    expect(resourceMember([])).to.deep.equal({});
    expect(resourceMember(['https://a.example'])).to.deep.equal({ resource: ['https://a.example'] });
  });
});
