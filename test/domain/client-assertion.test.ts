import { expect } from 'chai';
import { clientAssertion, type AcceptClientAssertion } from '../../src/domain/client-assertion.ts';
import { clientId, keyId, seconds } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

const acceptAssertion: AcceptClientAssertion = {
  type: 'AcceptClientAssertion',
  assertion: { clientId: clientId('A'), keyId: keyId('k'), algorithm: 'ES256', expiresAt: seconds(60) },
};

describe('an assertion that authenticates a client', () => {
  it('is accepted once, and recorded', () => {
    const { decision } = given(clientAssertion).when(acceptAssertion).accepted('ClientAssertionAccepted');
    expect(decision.events[0]?.data).to.deep.equal(acceptAssertion.assertion);
    given(clientAssertion, acceptAssertion).when(acceptAssertion).refused('assertion-replayed');
  });

  it('begins a stream that may exist, because the sender chooses the name', () => {
    expect(clientAssertion.initialRevision?.(acceptAssertion)).to.equal('no-stream');
  });
});
