import { expect } from 'chai';
import fc from 'fast-check';
import { upstreamProvider, type UpstreamProviderCommand } from '../../src/domain/upstream-provider.ts';
import { providerId } from '../support/domain-values.ts';
import { PROVIDER_SETTINGS } from '../support/provider-settings.ts';
import { unchecked } from '../support/unchecked.ts';

const PROVIDER = { providerId: providerId('corp') };

const aCommand: fc.Arbitrary<UpstreamProviderCommand> = fc.oneof(
  fc
    .record({ name: fc.constantFrom('Corp', 'Staff'), domains: fc.constantFrom([], ['example.org']) })
    .map((changes) => ({ ...PROVIDER_SETTINGS, ...changes }))
    .chain((settings) =>
      fc.boolean().map((isNew) => ({ type: 'SetUpstreamProvider', ...PROVIDER, settings, isNew }) as const),
    ),
  fc.constant({ type: 'RemoveUpstreamProvider', ...PROVIDER } as const),
);

describe('a provider through which users log in', () => {
  it('has the newest accepted settings until it is removed, and no event without a change', () => {
    fc.assert(
      fc.property(fc.array(aCommand), (commands) => {
        let state = upstreamProvider.initial;
        for (const command of commands) {
          const requested = command.type === 'SetUpstreamProvider' ? command.settings : null;
          const isUnchanged = JSON.stringify(state) === JSON.stringify(requested);
          const isOccupied = state !== null && command.type === 'SetUpstreamProvider' && command.isNew;
          const { events, refusal } = upstreamProvider.decide(command, state);
          expect(refusal).to.equal(isOccupied && !isUnchanged ? 'provider-exists' : undefined);
          expect(events).to.have.lengthOf(isUnchanged || refusal !== undefined ? 0 : 1);
          const expected = refusal === undefined ? requested : state;
          for (const { type, data } of events) {
            expect(type).to.equal(requested === null ? 'UpstreamProviderRemoved' : 'UpstreamProviderSet');
            expect(data).to.include(PROVIDER);
          }
          state = events.reduce(upstreamProvider.evolve, state);
          expect(state).to.deep.equal(expected);
        }
      }),
    );
  });

  it('accepts no unknown command', () => {
    expect(() => upstreamProvider.decide(unchecked({ type: 'Other' }), null)).to.throw('unhandled case');
  });
});
