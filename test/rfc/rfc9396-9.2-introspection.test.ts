import { expect } from 'chai';
import type { ClientId } from '../../src/domain/values.ts';
import { approvedCode, asking, BANK, introspected, redeemCode, registerBank } from '../support/details.ts';
import { ACCOUNTS, PAYMENT, RENT } from '../support/detail-types.ts';
import { registerResource } from '../support/resource-servers.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const SHOP = 'https://shop.example/api';
const ORDER = { type: 'order', item: 'book' };
const ORDERS = { type: 'order', schema: { type: 'object' }, sentence: 'Order a {item}' };

describe('RFC 9396 §9.2: introspection shows authorization details', () => {
  let running: RunningService;
  let ada: TestUser;
  let client: TestClient;
  let bankApi: TestClient;
  let shopApi: TestClient;
  let other: TestClient;
  let token: string;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    client = await running.addClient({ name: 'Planner' });
    bankApi = await running.addClient({ name: 'Bank API', restrictedScopes: ['introspection'] });
    shopApi = await running.addClient({ name: 'Shop API' });
    other = await running.addClient({ name: 'Other API' });
    await registerBank(running, { detailTypes: JSON.stringify([PAYMENT, ACCOUNTS]) });
    await registerResource(running, { uri: SHOP, scopes: [], detailTypes: JSON.stringify([ORDERS]) });
    const code = await approvedCode(running, client, ada, { ...asking(RENT, ORDER), resource: null });
    token = String((await redeemCode(running, client, code)).json?.['access_token']);
  });
  afterEach(() => running.close());

  /** Names the client with which a resource server introspects. */
  async function name(uri: string, introspectionClient: string): Promise<void> {
    const { resourceRegistry, projections } = running.service();
    const known = projections.resources.find(uri) ?? expect.fail('not registered');
    const detailTypes = JSON.stringify(uri === BANK ? [PAYMENT, ACCOUNTS] : [ORDERS]);
    const updated = await resourceRegistry.update(uri, { ...known, detailTypes, introspectionClient }, OPERATOR);
    expect(updated).to.deep.equal({ uri });
  }
  const shownTo = async (caller: TestClient): Promise<unknown> =>
    (await introspected(running, caller, token))['authorization_details'];

  it('of every type to every client, if no resource server names its client', async () => {
    for (const caller of [client, bankApi, shopApi, other])
      expect(await shownTo(caller), caller.id).to.deep.equal([RENT, ORDER]);
  });

  it('of the types of a resource server only to its client, which sees no other types', async () => {
    await name(BANK, bankApi.id);
    expect(await shownTo(bankApi)).to.deep.equal([RENT]);
    expect(await shownTo(shopApi)).to.deep.equal([ORDER]);
    expect(await shownTo(other)).to.deep.equal([ORDER]);
    await name(SHOP, shopApi.id);
    expect(await shownTo(shopApi)).to.deep.equal([ORDER]);
    expect(await shownTo(other)).to.deep.equal([]);
  });

  it('all of them to the client of the token, even if a resource server names it', async () => {
    await name(BANK, client.id);
    expect(await shownTo(client)).to.deep.equal([RENT, ORDER]);
  });

  it('to a bearer as to the client of its token', async () => {
    await name(BANK, bankApi.id);
    const grant = { grant_type: 'client_credentials', scope: 'introspection' };
    for (const [caller, shown] of [
      [bankApi, [RENT]],
      [await running.addClient({ restrictedScopes: ['introspection'] }), [ORDER]],
    ] as const) {
      const bearer = String((await running.token(caller, grant)).json?.['access_token']);
      const { json } = await running.post('/o/introspect/', { token }, { authorization: `Bearer ${bearer}` });
      expect(json).to.deep.include({ active: true, authorization_details: shown });
    }
  });

  it('to no other client after the named client was removed, until the resource server names a new one', async () => {
    await name(BANK, bankApi.id);
    await running.service().registration.remove(bankApi.id as ClientId, OPERATOR);
    expect(await shownTo(other)).to.deep.equal([ORDER]);
    await name(BANK, '');
    expect(await shownTo(other)).to.deep.equal([RENT, ORDER]);
  });

  it('of no public and no unknown client, which cannot be named', async () => {
    const open = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const { resourceRegistry } = running.service();
    for (const introspectionClient of [open.id, 'nobody']) {
      const known = running.service().projections.resources.find(BANK) ?? expect.fail('not registered');
      const updated = await resourceRegistry.update(BANK, { ...known, detailTypes: '', introspectionClient }, OPERATOR);
      expect(updated).to.have.nested.property('errors.introspectionClient');
    }
  });
});
