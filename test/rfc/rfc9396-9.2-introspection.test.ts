import { expect } from 'chai';
import type { ClientId } from '../../src/domain/values.ts';
import { approveForCode, detailsParameter, BANK, introspect, redeemCode, registerBank } from '../support/details.ts';
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
  let otherApi: TestClient;
  let token: string;

  beforeEach(async () => {
    running = await runningService();
    ada = await running.addUser('ada');
    client = await running.addClient({ name: 'Planner' });
    bankApi = await running.addClient({ name: 'Bank API', restrictedScopes: ['introspection'] });
    shopApi = await running.addClient({ name: 'Shop API' });
    otherApi = await running.addClient({ name: 'Other API' });
    await registerBank(running, { detailTypes: JSON.stringify([PAYMENT, ACCOUNTS]) });
    await registerResource(running, { uri: SHOP, scopes: [], detailTypes: JSON.stringify([ORDERS]) });
    const code = await approveForCode(running, client, ada, { ...detailsParameter(RENT, ORDER), resource: null });
    token = String((await redeemCode(running, client, code)).json?.['access_token']);
  });
  afterEach(() => running.close());

  /** Sets the client that a resource server uses for introspection. */
  async function setIntrospectionClient(uri: string, introspectionClient: string): Promise<void> {
    const { resourceRegistry, projections } = running.service();
    const registeredResource = projections.resources.find(uri) ?? expect.fail('not registered');
    const detailTypes = JSON.stringify(uri === BANK ? [PAYMENT, ACCOUNTS] : [ORDERS]);
    const result = await resourceRegistry.update(
      uri,
      { ...registeredResource, detailTypes, introspectionClient },
      OPERATOR,
    );
    expect(result).to.deep.equal({ uri });
  }
  const introspectDetails = async (caller: TestClient): Promise<unknown> =>
    (await introspect(running, caller, token))['authorization_details'];

  it('of every type to every client if no resource server has set its client', async () => {
    for (const caller of [client, bankApi, shopApi, otherApi])
      expect(await introspectDetails(caller), caller.id).to.deep.equal([RENT, ORDER]);
  });

  it("of a resource server's types only to its client, which sees no other types", async () => {
    await setIntrospectionClient(BANK, bankApi.id);
    expect(await introspectDetails(bankApi)).to.deep.equal([RENT]);
    expect(await introspectDetails(shopApi)).to.deep.equal([ORDER]);
    expect(await introspectDetails(otherApi)).to.deep.equal([ORDER]);
    await setIntrospectionClient(SHOP, shopApi.id);
    expect(await introspectDetails(shopApi)).to.deep.equal([ORDER]);
    expect(await introspectDetails(otherApi)).to.deep.equal([]);
  });

  it("of every type to the token's client, even if it is also the client of a resource server", async () => {
    await setIntrospectionClient(BANK, client.id);
    expect(await introspectDetails(client)).to.deep.equal([RENT, ORDER]);
  });

  it("to a caller with a bearer token just as to that token's client", async () => {
    await setIntrospectionClient(BANK, bankApi.id);
    const grant = { grant_type: 'client_credentials', scope: 'introspection' };
    for (const [caller, expectedDetails] of [
      [bankApi, [RENT]],
      [await running.addClient({ restrictedScopes: ['introspection'] }), [ORDER]],
    ] as const) {
      const bearer = String((await running.token(caller, grant)).json?.['access_token']);
      const { json } = await running.post('/o/introspect/', { token }, { authorization: `Bearer ${bearer}` });
      expect(json).to.deep.include({ active: true, authorization_details: expectedDetails });
    }
  });

  it("to no other client after a resource server's client has been removed, until that setting changes", async () => {
    await setIntrospectionClient(BANK, bankApi.id);
    await running.service().registration.remove(bankApi.id as ClientId, OPERATOR);
    expect(await introspectDetails(otherApi)).to.deep.equal([ORDER]);
    await setIntrospectionClient(BANK, '');
    expect(await introspectDetails(otherApi)).to.deep.equal([RENT, ORDER]);
  });

  it('to neither public nor unknown clients, which a resource server cannot set', async () => {
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const { resourceRegistry } = running.service();
    for (const introspectionClient of [publicClient.id, 'nobody']) {
      const registeredResource = running.service().projections.resources.find(BANK) ?? expect.fail('not registered');
      const result = await resourceRegistry.update(
        BANK,
        { ...registeredResource, detailTypes: '', introspectionClient },
        OPERATOR,
      );
      expect(result).to.have.nested.property('errors.introspectionClient');
    }
  });
});
