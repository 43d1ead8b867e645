import { expect } from 'chai';
import { limitsFor, type Limits } from '../../src/platform/limits/limits.ts';
import { runningService, type RunningService, type TestUser } from '../support/running-service.ts';

const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };

describe('The tokens that a client gets per minute', () => {
  let running: RunningService;
  const limits: Limits = limitsFor({ tokensPerMinutePerClient: 3 });

  beforeEach(async () => {
    running = await runningService({ limits });
  });
  afterEach(() => running.close());

  it('are limited by a setting; beyond the limit, only this client is refused until the minute is over', async () => {
    const [greedyClient, otherClient] = [await running.addClient(), await running.addClient()];
    for (let times = 0; times < 3; times += 1) {
      expect((await running.token(greedyClient, CLIENT_CREDENTIALS)).status).to.equal(200);
    }
    running.clock.advance(20);
    const previousEvents = await running.events();
    const { status, headers, json } = await running.token(greedyClient, CLIENT_CREDENTIALS);
    expect(status).to.equal(429);
    expect(headers.get('retry-after')).to.equal('40');
    expect(json).to.include({ error: 'temporarily_unavailable' });
    expect(await running.events()).to.deep.equal(previousEvents);
    expect((await running.token(otherClient, CLIENT_CREDENTIALS)).status).to.equal(200);
    running.clock.advance(40);
    expect((await running.token(greedyClient, CLIENT_CREDENTIALS)).status).to.equal(200);
  });

  it('do not include refused requests, which anyone can send for a public client', async () => {
    const client = await running.addClient({ clientType: 'public', grantTypes: ['password'] });
    const user = await running.addUser();
    const requestParameters = { grant_type: 'password', client_id: client.id, username: user.username };
    for (let times = 0; times < 5; times += 1) {
      expect((await running.post('/o/token/', { ...requestParameters, password: 'a guess' })).status).to.equal(400);
    }
    expect((await running.post('/o/token/', { ...requestParameters, password: user.password })).status).to.equal(200);
  });

  it('are limited across all grant types', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { json } = await running.token(client, { grant_type: 'password', ...user });
    const refreshRequest = { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) };
    expect((await running.token(client, refreshRequest)).status).to.equal(200);
    expect((await running.token(client, CLIENT_CREDENTIALS)).status).to.equal(200);
    for (const parameters of [refreshRequest, CLIENT_CREDENTIALS, { grant_type: 'password', ...user }]) {
      expect((await running.token(client, parameters)).status).to.equal(429);
    }
  });

  it('are counted per user for a public client, so that no user can block another', async () => {
    const client = await running.addClient({ clientType: 'public', grantTypes: ['password'] });
    const [greedyUser, otherUser] = [await running.addUser(), await running.addUser()];
    const logIn = async (user: TestUser) =>
      running.post('/o/token/', { grant_type: 'password', client_id: client.id, ...user });
    for (let times = 0; times < 3; times += 1) expect((await logIn(greedyUser)).status).to.equal(200);
    expect((await logIn(greedyUser)).status).to.equal(429);
    expect((await logIn(otherUser)).status).to.equal(200);
  });

  it('do not include repeated responses, which record nothing', async () => {
    const [client, user] = [await running.addClient(), await running.addUser()];
    const { json } = await running.token(client, { grant_type: 'password', ...user });
    const refreshRequest = { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) };
    for (let times = 0; times < 5; times += 1)
      expect((await running.token(client, refreshRequest)).status).to.equal(200);
    expect((await running.token(client, CLIENT_CREDENTIALS)).status).to.equal(200);
    expect((await running.token(client, CLIENT_CREDENTIALS)).status).to.equal(429);
  });

  it('count as refusals beyond the limit', async () => {
    const client = await running.addClient();
    for (let times = 0; times < 5; times += 1) await running.token(client, CLIENT_CREDENTIALS);
    expect(running.service().limits.refusals()['tokens-by-client']).to.equal(2);
  });
});
