import { expect } from 'chai';
import { audit } from '../../../src/audit/rules/auditor.ts';
import { DecisionOutdated, START } from '../../../src/event-store/event-log.ts';
import type { ClientId } from '../../../src/domain/values.ts';
import { englishProblems } from '../../support/english-problems.ts';
import { setExchangePolicy } from '../../support/exchange-policies.ts';
import { runningService, type RunningService, type TestClient } from '../../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ANY_SETTINGS = { modes: ['delegation'], scope: null, resources: null } as const;

describe('The exchange policy registry', () => {
  let running: RunningService;
  let broker: TestClient;
  let app: TestClient;

  beforeEach(async () => {
    running = await runningService();
    [broker, app] = [await running.addClient({ name: 'Broker' }), await running.addClient({ name: 'App' })];
  });
  afterEach(() => running.close());

  const pair = () => ({ clientId: broker.id, subjectClientId: app.id });
  const removeClient = ({ id }: TestClient) => running.service().registration.remove(id as ClientId, OPERATOR);
  const recordedChanges = async () =>
    (await running.events()).filter(({ type }) => type.startsWith('ExchangePolicy')).map(({ type }) => type);
  async function auditFindings(): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) items.push(item);
    return items;
  }

  it('records only changes, in one stream for each ordered pair', async () => {
    const [policy, repeatedPolicy] = [
      await setExchangePolicy(running, broker, app),
      await setExchangePolicy(running, broker, app),
    ];
    expect(repeatedPolicy).to.deep.equal(policy);
    const reversePolicy = await setExchangePolicy(running, app, broker);
    expect(reversePolicy.policyId).to.not.equal(policy.policyId);
    await running.service().exchangePolicyRegistry.remove(policy, OPERATOR);
    expect(running.service().projections.exchangePolicies.all()).to.deep.equal([reversePolicy]);
    expect(await recordedChanges()).to.deep.equal(['ExchangePolicySet', 'ExchangePolicySet', 'ExchangePolicyRemoved']);
    expect(await auditFindings()).to.deep.equal([]);
  });

  for (const [role, clientToRemove] of [
    ['the exchanging client', () => broker],
    ['the client of the subject token', () => app],
  ] as const)
    it(`keeps no policy if ${role} is removed at the same time`, async () => {
      const { exchangePolicyRegistry } = running.service();
      const [result] = await Promise.allSettled([
        exchangePolicyRegistry.set(pair(), ANY_SETTINGS, OPERATOR),
        removeClient(clientToRemove()),
      ]);
      expect(running.service().projections.exchangePolicies.all()).to.deep.equal([]);
      if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(DecisionOutdated);
      expect(await auditFindings()).to.deep.equal([]);
    });

  it('removes a policy only if it has not changed since it was read', async () => {
    const policy = await setExchangePolicy(running, broker, app);
    await setExchangePolicy(running, broker, app, { scope: ['read'] });
    const removal = running.service().exchangePolicyRegistry.remove(policy, OPERATOR);
    expect(await removal.catch((error: unknown) => error)).to.be.instanceOf(DecisionOutdated);
    expect(running.service().projections.exchangePolicies.all()).to.have.length(1);
  });

  it('records nothing about a policy that was removed with its client', async () => {
    const policy = await setExchangePolicy(running, broker, app);
    await removeClient(app);
    await running.service().exchangePolicyRegistry.remove(policy, OPERATOR);
    expect(await recordedChanges()).to.deep.equal(['ExchangePolicySet']);
    const result = await running.service().exchangePolicyRegistry.set(pair(), ANY_SETTINGS, OPERATOR);
    expect('errors' in result && englishProblems(result.errors)).to.deep.equal({
      subjectClientId: 'No application has this client id, so there are no tokens to exchange.',
    });
  });
});
