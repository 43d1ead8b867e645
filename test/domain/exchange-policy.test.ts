import { expect } from 'chai';
import fc from 'fast-check';
import { exchangePolicy, type ExchangePolicyCommand } from '../../src/domain/exchange-policy.ts';
import { clientId } from '../support/domain-values.ts';
import { unchecked } from '../support/unchecked.ts';

const PAIR = { clientId: clientId('broker'), subjectClientId: clientId('app') };

const aCommand: fc.Arbitrary<ExchangePolicyCommand> = fc.oneof(
  fc
    .record({
      modes: fc.constantFrom(['impersonation'] as const, ['impersonation', 'delegation'] as const),
      scope: fc.constantFrom(null, ['read']),
      resources: fc.constantFrom(null, ['https://api.example']),
    })
    .map((settings) => ({ type: 'SetExchangePolicy', ...PAIR, settings }) as const),
  fc.constant({ type: 'RemoveExchangePolicy', ...PAIR } as const),
);

describe('an exchange policy', () => {
  it('has the newest settings until it is removed, and no event without a change', () => {
    fc.assert(
      fc.property(fc.array(aCommand), (commands) => {
        let state = exchangePolicy.initial;
        for (const command of commands) {
          const expected = command.type === 'SetExchangePolicy' ? command.settings : null;
          const { events, refusal } = exchangePolicy.decide(command, state);
          expect(refusal).to.equal(undefined);
          expect(events).to.have.lengthOf(JSON.stringify(state) === JSON.stringify(expected) ? 0 : 1);
          for (const event of events) {
            expect(event.type).to.equal(expected === null ? 'ExchangePolicyRemoved' : 'ExchangePolicySet');
            expect(event.data).to.include(PAIR);
            state = exchangePolicy.evolve(state, event);
          }
          expect(state).to.deep.equal(expected);
        }
      }),
    );
  });

  it('accepts no unknown command', () => {
    expect(() => exchangePolicy.decide(unchecked({ type: 'Other' }), null)).to.throw('unhandled case');
  });
});
