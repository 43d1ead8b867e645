import { expect } from 'chai';
import type { ExchangePolicySettings } from '../../src/domain/exchange-settings.ts';
import { createExchangePolicies } from '../../src/projections/exchange-policies.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { createRecording } from '../support/recording.ts';

const ANY: ExchangePolicySettings = { modes: ['impersonation'], scope: null, resources: null };

function setUp() {
  const policies = createExchangePolicies();
  const { record } = createRecording(policies);
  const pairOf = (client: string, subject: string) => ({
    clientId: client as ClientId,
    subjectClientId: subject as ClientId,
  });
  return {
    policies,
    set: (client: string, subject: string, settings = ANY, at = 0) =>
      record(
        `exchange-${client}-${subject}`,
        { type: 'ExchangePolicySet', data: { ...pairOf(client, subject), settings } },
        at,
      ),
    remove: (client: string, subject: string) =>
      record(`exchange-${client}-${subject}`, { type: 'ExchangePolicyRemoved', data: pairOf(client, subject) }),
    removeClient: (client: string) => record(`client-${client}`, { type: 'ClientRemoved', data: {} }),
    pairs: () => policies.all().map((policy) => `${policy.clientId} ${policy.subjectClientId}`),
  };
}

describe('the exchange policies', () => {
  it('are found by an ordered pair of clients, with the newest settings', () => {
    const { policies, set } = setUp();
    set('broker', 'app');
    set('broker', 'app', { modes: ['delegation'], scope: ['read'], resources: ['https://api.example'] }, 5);
    expect(policies.find('broker', 'app')).to.deep.equal({
      policyId: 'broker-app',
      clientId: 'broker',
      subjectClientId: 'app',
      modes: ['delegation'],
      scope: ['read'],
      resources: ['https://api.example'],
      revision: 2,
      position: 2,
      changedAt: 5,
    });
    expect(policies.findById('broker-app')).to.equal(policies.find('broker', 'app'));
    expect(policies.find('app', 'broker')).to.equal(undefined);
  });

  it('are no longer found once they are removed, and can be set again', () => {
    const { set, remove, pairs } = setUp();
    set('broker', 'app');
    set('broker', 'broker');
    remove('broker', 'app');
    expect(pairs()).to.deep.equal(['broker broker']);
    set('broker', 'app');
    expect(pairs()).to.deep.equal(['broker broker', 'broker app']);
  });

  it('are removed along with either of their clients', () => {
    const { set, removeClient, pairs } = setUp();
    for (const [client, subject] of [
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'c'],
      ['c', 'c'],
    ] as const)
      set(client, subject);
    removeClient('a');
    expect(pairs()).to.deep.equal(['b c', 'c c']);
    removeClient('c');
    expect(pairs()).to.deep.equal([]);
  });

  it('are restored from a snapshot', () => {
    const { policies, set, remove } = setUp();
    for (const subject of ['a', 'b', 'c']) set('broker', subject);
    remove('broker', 'a');
    set('broker', 'a');
    const restored = createExchangePolicies();
    for (const piece of policies.freeze()) restored.restore(piece);
    expect(restored.all()).to.deep.equal(policies.all());
    expect(restored.find('broker', 'b')).to.deep.equal(policies.find('broker', 'b'));
  });
});
