import { expect } from 'chai';
import { createExplanations, RETAINED_REFUSALS } from '../../../src/oauth/refusals/explanations.ts';
import { buildRefusedRequest } from '../../support/refused-request.ts';

describe('explanations', () => {
  it('are found by the request id, with the rule, the expected and the received value, and advice', () => {
    const explanations = createExplanations();
    explanations.record(buildRefusedRequest('one'));
    const explanation = explanations.find('one');
    expect(explanation).to.include({ id: 'one', rule: 'parameter-missing', error: 'invalid_request' });
    expect(explanation?.details).to.deep.equal({ parameter: 'code' });
    expect(explanation?.messages).to.have.all.keys('rule', 'expected', 'seen', 'advice');
    expect(explanations.find('two')).to.equal(undefined);
  });

  it('of one client are limited to the newest, and listed newest first', () => {
    const explanations = createExplanations();
    for (let at = 0; at < 2 * RETAINED_REFUSALS.proven; at += 1)
      explanations.record(buildRefusedRequest(`a${at}`, { at, clientId: 'A', isProven: true }));
    explanations.record(buildRefusedRequest('b', { clientId: 'B', isProven: true }));
    const retainedIds = explanations.listByClient('A').map(({ id }) => id);
    expect(retainedIds).to.have.length(RETAINED_REFUSALS.proven);
    expect(retainedIds[0]).to.equal(`a${2 * RETAINED_REFUSALS.proven - 1}`);
    expect(retainedIds).not.to.include('b');
    expect(explanations.listByClient('C')).to.deep.equal([]);
  });

  it('of authenticated requests are not displaced by requests that only name the client, or by other clients', () => {
    const explanations = createExplanations();
    explanations.record(buildRefusedRequest('own', { clientId: 'A', isProven: true }));
    for (let at = 0; at < 5_000; at += 1)
      explanations.record(buildRefusedRequest(`x${at}`, { clientId: at % 2 === 0 ? 'A' : `B${at}` }));
    expect(explanations.find('own')).to.include({ id: 'own' });
    expect(explanations.listByClient('A').map(({ id }) => id)).to.include('own');
  });

  it('are bounded in number, even after a million refusals for a million clients', function () {
    this.timeout(180_000);
    const explanations = createExplanations();
    for (let at = 0; at < 1_000_000; at += 1)
      explanations.record(buildRefusedRequest(`r${at}`, { at, clientId: `c${at}`, isProven: at % 2 === 0 }));
    expect(explanations.recent()).to.have.length(2 * RETAINED_REFUSALS.clients);
    for (let at = 0; at < 10_000; at += 1) explanations.record(buildRefusedRequest(`n${at}`));
    expect(explanations.recent()).to.have.length(2 * RETAINED_REFUSALS.clients + RETAINED_REFUSALS.rest);
    expect(explanations.counts()).to.include({ 'parameter-missing': 1_010_000, 'code-expired': 0 });
  });
});
