import { expect } from 'chai';
import fc from 'fast-check';
import { trustedIssuer, type TrustedIssuerCommand } from '../../src/domain/trusted-issuer.ts';
import { issuerSettings } from '../support/issuer-settings.ts';
import { unchecked } from '../support/unchecked.ts';

const issuer = 'https://issuer.example';
const SETTINGS = issuerSettings('A');

const aCommand: fc.Arbitrary<TrustedIssuerCommand> = fc.oneof(
  fc
    .record({
      scope: fc.constantFrom(['read'], ['read', 'write']),
      requiredClaims: fc.constantFrom([], [{ name: 'repository', value: 'acme/api' }]),
    })
    .map((changes) => ({ type: 'SetTrustedIssuer', issuer, settings: { ...SETTINGS, ...changes } }) as const),
  fc.constant({ type: 'RemoveTrustedIssuer', issuer } as const),
);

describe('a trusted issuer', () => {
  it('has the newest settings until it is removed, and no event without a change', () => {
    fc.assert(
      fc.property(fc.array(aCommand), (commands) => {
        let state = trustedIssuer.initial;
        for (const command of commands) {
          const expected = command.type === 'SetTrustedIssuer' ? command.settings : null;
          const { events, refusal } = trustedIssuer.decide(command, state);
          expect(refusal).to.equal(undefined);
          expect(events).to.have.lengthOf(JSON.stringify(state) === JSON.stringify(expected) ? 0 : 1);
          for (const event of events) {
            expect(event.type).to.equal(expected === null ? 'TrustedIssuerRemoved' : 'TrustedIssuerSet');
            expect(event.data).to.include({ issuer });
            state = trustedIssuer.evolve(state, event);
          }
          expect(state).to.deep.equal(expected);
        }
      }),
    );
  });

  it('accepts no unknown command', () => {
    expect(() => trustedIssuer.decide(unchecked({ type: 'Other' }), null)).to.throw('unhandled case');
  });
});
