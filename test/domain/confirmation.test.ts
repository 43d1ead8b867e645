import { expect } from 'chai';
import fc from 'fast-check';
import {
  confirmationClaim,
  CONFIRMATION_METHODS,
  confirmationMember,
  isSameConfirmation,
  tokenType,
  type Confirmation,
} from '../../src/domain/confirmation.ts';

const aConfirmation: fc.Arbitrary<Confirmation | undefined> = fc.option(
  fc.record({ method: fc.constantFrom(...CONFIRMATION_METHODS), thumbprint: fc.constantFrom('one', 'two') }),
  { nil: undefined },
);
const KEY: Confirmation = { method: 'jkt', thumbprint: 'one' };
const CERTIFICATE: Confirmation = { method: 'x5t#S256', thumbprint: 'one' };

describe('the confirmation of a token', () => {
  it('is the same only if the method and the thumbprint are the same', () => {
    fc.assert(
      fc.property(aConfirmation, aConfirmation, (left, right) => {
        expect(isSameConfirmation(left, right)).to.equal(JSON.stringify(left) === JSON.stringify(right));
      }),
    );
  });

  it('is in the token as a member of `cnf`: `jkt` for a key, and `x5t#S256` for a certificate', () => {
    expect(confirmationClaim(KEY)).to.deep.equal({ jkt: 'one' });
    expect(confirmationClaim(CERTIFICATE)).to.deep.equal({ 'x5t#S256': 'one' });
  });

  it('by a key, and no other, makes a token that is not a bearer token', () => {
    expect([KEY, CERTIFICATE, undefined].map(tokenType)).to.deep.equal(['DPoP', 'Bearer', 'Bearer']);
  });

  it('is absent from the events of a bearer token', () => {
    expect(confirmationMember(undefined)).to.deep.equal({});
    expect(confirmationMember(KEY)).to.deep.equal({ confirmation: KEY });
  });
});
