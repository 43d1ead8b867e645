import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { expectNothingAppended, expectRefusal, isAccepted } from '../support/protocol-responses.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import {
  allowExchange,
  exchange,
  exchangeForToken,
  introspect,
  ownToken,
  userTokens,
} from '../support/token-exchange.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NAMES = ['One', 'Two', 'Three', 'Four'] as const;

describe('RFC 8693: a chain of exchanged tokens', () => {
  let running: RunningService;
  let web: TestClient;
  let ada: TestUser;
  let clients: readonly TestClient[];
  /** The user's token and four more tokens, each obtained in exchange for the previous one. */
  let tokens: readonly string[];
  let actor: string;

  beforeEach(async () => {
    running = await runningService();
    web = await running.addClient({ name: 'Web' });
    ada = await running.addUser('ada');
    const options = { grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [] } as const;
    const createdClients: TestClient[] = [];
    for (const name of NAMES) {
      const client = await running.addClient({ name, ...options });
      await allowExchange(running, client, createdClients.at(-1) ?? web);
      createdClients.push(client);
    }
    clients = createdClients;
    const chain = [(await userTokens(running, web, ada, { scope: 'read' })).access];
    actor = await ownToken(running, clientAt(2));
    for (const client of clients) {
      const parameters = client === clientAt(2) ? { actor } : {};
      chain.push(await exchangeForToken(running, client, chain.at(-1) ?? '', parameters));
    }
    tokens = chain;
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  /** Returns the client of the exchange with this index, or the root client for -1. */
  const clientAt = (index: number): TestClient => (index < 0 ? web : (clients[index] ?? expect.fail()));
  const account = () => running.service().projections.users.findByName('ada') ?? expect.fail();
  const findClientId = ({ id }: TestClient) =>
    running.service().projections.clients.find(id)?.clientId ?? expect.fail();
  const revoke = (client: TestClient, token: string): Promise<TestResponse> =>
    running.post('/o/revoke_token/', { token }, { authorization: client.basic });
  /** Reports for each token, from the root down, whether the sample API and introspection accept it. */
  async function checkValidity(): Promise<readonly boolean[]> {
    const validity: boolean[] = [];
    for (const [index, token] of tokens.entries()) {
      validity.push(await isAccepted(running, token));
      expect((await introspect(running, clientAt(index - 1), token))['active']).to.equal(validity.at(-1));
    }
    return validity;
  }
  const expectedValidity = (count: number): readonly boolean[] => tokens.map((_, index) => index < count);

  it('is valid from the first token to the last', async () => {
    expect(await checkValidity()).to.deep.equal(expectedValidity(5));
  });

  for (const [index, name] of [
    'the user’s token',
    'the first exchange',
    'the second exchange',
    'the third exchange',
    'the last exchange',
  ].entries()) {
    it(`becomes invalid from ${name} onward, with one event, if that token is revoked`, async () => {
      const eventCount = (await running.events()).length;
      expect((await revoke(clientAt(index - 1), tokens[index] ?? '')).status).to.equal(200);
      expect((await running.events()).length).to.equal(eventCount + 1);
      expect(await checkValidity()).to.deep.equal(expectedValidity(index));
      await running.restart();
      expect(await checkValidity()).to.deep.equal(expectedValidity(index));
    });
  }

  it('can be revoked by each client only from its own token onward', async () => {
    await revoke(clientAt(0), tokens[2] ?? '');
    await revoke(web, tokens[1] ?? '');
    expect(await checkValidity()).to.deep.equal(expectedValidity(5));
  });

  it('cannot be continued after its root grant has been revoked', async () => {
    const fifthClient = await running.addClient({ grantTypes: ['token-exchange'], redirectUris: [] });
    for (const client of [web, ...clients]) await allowExchange(running, fifthClient, client);
    await exchangeForToken(running, fifthClient, tokens[1] ?? '');
    await revoke(web, tokens[0] ?? '');
    for (const token of tokens) {
      const response = await expectNothingAppended(running, () => exchange(running, fifthClient, token));
      expectRefusal(response, 'invalid_request');
    }
  });

  /**
   * In Keycloak 26.7, the last step issues a new token, which is valid for its full lifetime:
   * https://github.com/keycloak/keycloak/issues/51633, “a revoked chain can still be extended into a new token”.
   */
  it('cannot be extended by a third client after the first token has been revoked', async () => {
    const options = { grantTypes: ['client-credentials', 'token-exchange'], redirectUris: [] } as const;
    const agents: TestClient[] = [];
    for (const name of ['A', 'B', 'C']) agents.push(await running.addClient({ name: `Agent ${name}`, ...options }));
    const [a, b, c] = agents as [TestClient, TestClient, TestClient];
    await allowExchange(running, b, a);
    await allowExchange(running, c, b);
    const tokenA = await ownToken(running, a, { scope: 'read' });
    const tokenB = await exchangeForToken(running, b, tokenA);
    expect((await revoke(a, tokenA)).status).to.equal(200);
    for (const token of [tokenA, tokenB]) expect((await introspect(running, b, token))['active']).to.equal(false);
    expectRefusal(await expectNothingAppended(running, () => exchange(running, c, tokenB)), 'invalid_request');
  });

  it("becomes invalid from the token with an actor onward if the actor's grant is revoked", async () => {
    await revoke(clientAt(2), actor);
    expect(await checkValidity()).to.deep.equal(expectedValidity(3));
  });

  it('ends when its user is disabled, and is not restored when the user is enabled again', async () => {
    await running.service().accounts.disable(account(), OPERATOR);
    expect(await checkValidity()).to.deep.equal(expectedValidity(0));
    await running.service().accounts.enable(account(), OPERATOR);
    expect(await checkValidity()).to.deep.equal(expectedValidity(0));
  });

  it('ends when its user is erased', async () => {
    await running.service().accounts.erase(account(), OPERATOR);
    expect(await checkValidity()).to.deep.equal(expectedValidity(0));
  });

  it("becomes invalid from a client's token onward when the client is removed", async () => {
    await running.service().registration.remove(findClientId(clientAt(1)), OPERATOR);
    const validity = await Promise.all(tokens.map((token) => isAccepted(running, token)));
    expect(validity).to.deep.equal(expectedValidity(2));
  });

  it('stays valid when a client rotates its secret, or loses the grant type or its policy', async () => {
    const { registration, projections, exchangePolicyRegistry } = running.service();
    const { clientId } = projections.clients.find(clientAt(1).id) ?? expect.fail();
    await registration.rotateSecret(clientId, OPERATOR);
    const firstClient = projections.clients.find(clientAt(0).id) ?? expect.fail();
    await registration.update(firstClient.clientId, { ...firstClient, grantTypes: ['client-credentials'] }, OPERATOR);
    const policy = projections.exchangePolicies.find(clientAt(2).id, clientAt(1).id) ?? expect.fail();
    await exchangePolicyRegistry.remove(policy, OPERATOR);
    const validity = await Promise.all(tokens.map((token) => isAccepted(running, token)));
    expect(validity).to.deep.equal(expectedValidity(5));
  });

  it('outlives the access token at its root after a refresh', async () => {
    const { access, refresh } = await userTokens(running, web, ada, { scope: 'read' });
    const token = await exchangeForToken(running, clientAt(0), access);
    await running.token(web, { grant_type: 'refresh_token', refresh_token: refresh });
    running.clock.advance(600);
    expect([await isAccepted(running, access), await isAccepted(running, token)]).to.deep.equal([false, true]);
  });
});
