import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { expectNothingAppended, expectRefusal, isAccepted } from '../support/protocol-answers.ts';
import {
  runningService,
  type Answer,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { allowExchange, exchange, exchanged, introspected, ownToken, userTokens } from '../support/token-exchange.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const NAMES = ['One', 'Two', 'Three', 'Four'] as const;

describe('RFC 8693: a chain of exchanged tokens', () => {
  let running: RunningService;
  let web: TestClient;
  let ada: TestUser;
  let clients: readonly TestClient[];
  /** The user's token and four that were exchanged one from the other. */
  let tokens: readonly string[];
  let actor: string;

  beforeEach(async () => {
    running = await runningService();
    web = await running.addClient({ name: 'Web' });
    ada = await running.addUser('ada');
    const options = { grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [] } as const;
    const made: TestClient[] = [];
    for (const name of NAMES) {
      const client = await running.addClient({ name, ...options });
      await allowExchange(running, client, made.at(-1) ?? web);
      made.push(client);
    }
    clients = made;
    const chain = [(await userTokens(running, web, ada, { scope: 'read' })).access];
    actor = await ownToken(running, at(2));
    for (const client of clients) {
      const acting = client === at(2) ? { actor } : {};
      chain.push(await exchanged(running, client, chain.at(-1) ?? '', acting));
    }
    tokens = chain;
  });
  afterEach(async () => {
    const found: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) found.push(item);
    expect(found, 'an audit').to.deep.equal([]);
    await running.close();
  });

  /** The client of the exchange with this index; -1 is the client at the root. */
  const at = (index: number): TestClient => (index < 0 ? web : (clients[index] ?? expect.fail()));
  const account = () => running.service().projections.users.findByName('ada') ?? expect.fail();
  const idOf = ({ id }: TestClient) => running.service().projections.clients.find(id)?.clientId ?? expect.fail();
  const revoke = (client: TestClient, token: string): Promise<Answer> =>
    running.post('/o/revoke_token/', { token }, { authorization: client.basic });
  /** Whether each token of the chain is accepted by an API and by introspection, from the root down. */
  async function validity(): Promise<readonly boolean[]> {
    const valid: boolean[] = [];
    for (const [index, token] of tokens.entries()) {
      valid.push(await isAccepted(running, token));
      expect((await introspected(running, at(index - 1), token))['active']).to.equal(valid.at(-1));
    }
    return valid;
  }
  const until = (count: number): readonly boolean[] => tokens.map((_, index) => index < count);

  it('is valid as a whole', async () => {
    expect(await validity()).to.deep.equal(until(5));
  });

  for (const [index, name] of ['the user’s token', 'the first', 'the second', 'the third', 'the last'].entries()) {
    it(`ends from ${name} on when that is revoked, with one event`, async () => {
      const before = (await running.events()).length;
      expect((await revoke(at(index - 1), tokens[index] ?? '')).status).to.equal(200);
      expect((await running.events()).length).to.equal(before + 1);
      expect(await validity()).to.deep.equal(until(index));
      await running.restart();
      expect(await validity()).to.deep.equal(until(index));
    });
  }

  it('is revoked by each client only from its own token on', async () => {
    await revoke(at(0), tokens[2] ?? '');
    await revoke(web, tokens[1] ?? '');
    expect(await validity()).to.deep.equal(until(5));
  });

  it('cannot be continued after a grant above it was revoked', async () => {
    const fifth = await running.addClient({ grantTypes: ['token-exchange'], redirectUris: [] });
    for (const client of [web, ...clients]) await allowExchange(running, fifth, client);
    await exchanged(running, fifth, tokens[1] ?? '');
    await revoke(web, tokens[0] ?? '');
    for (const token of tokens) {
      const answer = await expectNothingAppended(running, () => exchange(running, fifth, token));
      expectRefusal(answer, 'invalid_request');
    }
  });

  /**
   * In Keycloak 26.7, the last step gives a new token, which is valid for its full lifetime:
   * https://github.com/keycloak/keycloak/issues/51633, “a revoked chain can still be extended into a new token”.
   */
  it('cannot be extended by a third client after the first token was revoked: the flaw of another server', async () => {
    const options = { grantTypes: ['client-credentials', 'token-exchange'], redirectUris: [] } as const;
    const agents: TestClient[] = [];
    for (const name of ['A', 'B', 'C']) agents.push(await running.addClient({ name: `Agent ${name}`, ...options }));
    const [a, b, c] = agents as [TestClient, TestClient, TestClient];
    await allowExchange(running, b, a);
    await allowExchange(running, c, b);
    const ofA = await ownToken(running, a, { scope: 'read' });
    const ofB = await exchanged(running, b, ofA);
    expect((await revoke(a, ofA)).status).to.equal(200);
    for (const token of [ofA, ofB]) expect((await introspected(running, b, token))['active']).to.equal(false);
    expectRefusal(await expectNothingAppended(running, () => exchange(running, c, ofB)), 'invalid_request');
  });

  it('ends below an actor whose grant is revoked', async () => {
    await revoke(at(2), actor);
    expect(await validity()).to.deep.equal(until(3));
  });

  it('ends with the account of its user, however the account ends', async () => {
    await running.service().accounts.disable(account(), OPERATOR);
    expect(await validity()).to.deep.equal(until(0));
    await running.service().accounts.enable(account(), OPERATOR);
    expect(await validity()).to.deep.equal(until(0));
  });

  it('ends when the account of its user is erased', async () => {
    await running.service().accounts.erase(account(), OPERATOR);
    expect(await validity()).to.deep.equal(until(0));
  });

  it('ends from the tokens of a client on when the client is removed', async () => {
    await running.service().registration.remove(idOf(at(1)), OPERATOR);
    const valid = await Promise.all(tokens.map((token) => isAccepted(running, token)));
    expect(valid).to.deep.equal(until(2));
  });

  it('stays when a client rotates its secret, loses the grant or its policy', async () => {
    const { registration, projections, exchangePolicyRegistry } = running.service();
    const { clientId } = projections.clients.find(at(1).id) ?? expect.fail();
    await registration.rotateSecret(clientId, OPERATOR);
    const found = projections.clients.find(at(0).id) ?? expect.fail();
    await registration.update(found.clientId, { ...found, grantTypes: ['client-credentials'] }, OPERATOR);
    const policy = projections.exchangePolicies.find(at(2).id, at(1).id) ?? expect.fail();
    await exchangePolicyRegistry.remove(policy, OPERATOR);
    const valid = await Promise.all(tokens.map((token) => isAccepted(running, token)));
    expect(valid).to.deep.equal(until(5));
  });

  it('outlives a refresh of its root, whose access token ends earlier', async () => {
    const { access, refresh } = await userTokens(running, web, ada, { scope: 'read' });
    const token = await exchanged(running, at(0), access);
    await running.token(web, { grant_type: 'refresh_token', refresh_token: refresh });
    running.clock.advance(600);
    expect([await isAccepted(running, access), await isAccepted(running, token)]).to.deep.equal([false, true]);
  });
});
