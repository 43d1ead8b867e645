import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createApp } from '../../src/http/app.ts';
import { requirePolicy } from '../../src/http/pipeline/require-policy.ts';
import { alternativeScopes } from '../../src/policy/policies.ts';
import type { Explanation } from '../../src/oauth/refusals/explanations.ts';
import { authorizePath, openSession } from '../support/authorize-requests.ts';
import { runningService, type TestResponse, type RunningService, type TestClient } from '../support/running-service.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

describe('The explanation of a refusal', () => {
  let running: RunningService;
  let client: TestClient;

  async function startService(options: Parameters<typeof runningService>[0] = {}): Promise<void> {
    running = await runningService(options);
    client = await running.addClient();
  }
  beforeEach(() => startService());
  afterEach(() => running.close());

  const findExplanation = ({ headers }: { readonly headers: Headers }): Explanation | undefined =>
    running.service().explanations.find(headers.get('x-request-id') ?? '');
  const sendWrongScope = (sender: TestClient): Promise<TestResponse> =>
    running.token(sender, { grant_type: 'client_credentials', scope: 'nowhere' });
  const sendWrongSecret = (id: string): Promise<TestResponse> =>
    running.post('/o/token/', { grant_type: 'client_credentials', client_id: id, client_secret: 'a guess' });

  it('has the id of the response, which no caller can choose', async () => {
    const response = await running.post('/o/token/', { grant_type: 'password' }, { 'x-request-id': 'chosen' });
    expect(response.headers.get('x-request-id')).to.match(/^[\w-]{22}$/);
    expect(findExplanation(response)).to.include({
      rule: 'client-credentials-missing',
      error: 'invalid_client',
      method: 'POST',
      path: '/o/token/',
    });
    expect(running.service().explanations.find('chosen')).to.equal(undefined);
  });

  it('does not exist for a successful request', async () => {
    const response = await running.token(client, { grant_type: 'client_credentials', scope: 'read' });
    expect(response.status).to.equal(200);
    expect(findExplanation(response)).to.equal(undefined);
    expect(running.service().explanations.recent()).to.deep.equal([]);
  });

  it('is listed only for its own application', async () => {
    const otherClient = await running.addClient();
    const [firstResponse, secondResponse] = [await sendWrongScope(client), await sendWrongScope(otherClient)];
    const idsFor = (application: TestClient): readonly string[] =>
      running
        .service()
        .explanations.listByClient(application.id)
        .map(({ id }) => id);
    expect(idsFor(client)).to.deep.equal([firstResponse.headers.get('x-request-id')]);
    expect(idsFor(otherClient)).to.deep.equal([secondResponse.headers.get('x-request-id')]);
  });

  it('remains despite any number of unauthenticated requests that name the application', async () => {
    const refusal = await sendWrongScope(client);
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    for (let times = 0; times < 100; times += 1) {
      await sendWrongSecret(client.id);
      await running.get(authorizePath(client, { scope: 'nowhere' }));
      await running.post('/o/token/', {
        grant_type: 'authorization_code',
        client_id: publicClient.id,
        code: 'made up',
      });
    }
    expect(findExplanation(refusal)).to.include({ rule: 'scope-unknown', isProven: true });
    expect(
      running
        .service()
        .explanations.listByClient(client.id)
        .filter(({ isProven }) => isProven),
    ).to.have.length(1);
    expect(
      running
        .service()
        .explanations.listByClient(publicClient.id)
        .some(({ isProven }) => isProven),
    ).to.equal(false);
  });

  it('is marked as proven if the owner of the application made the authorization request', async () => {
    const owner = await running.addUser('ada');
    const ownedClient = await running.addClient({ owner: 'ada' });
    const page = await (
      await openSession(running, owner)
    ).get(authorizePath(ownedClient, { redirect_uri: 'https://app.example/' }));
    expect(findExplanation(page)).to.include({ rule: 'redirect-uri-not-registered', isProven: true });
    const otherUserPage = await (
      await openSession(running, await running.addUser())
    ).get(authorizePath(ownedClient, { redirect_uri: 'https://app.example/' }));
    expect(findExplanation(otherUserPage)).to.include({ rule: 'redirect-uri-not-registered', isProven: false });
  });

  it('is marked as proven if a public client presented a genuine code', async () => {
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['authorization-code'] });
    const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    const code = await running.authorize(publicClient, await running.addUser(), challenge);
    const response = await running.post('/o/token/', {
      grant_type: 'authorization_code',
      client_id: publicClient.id,
      code,
      redirect_uri: 'https://app.example/callback',
    });
    expect(findExplanation(response)).to.include({ rule: 'code-verifier-missing', isProven: true });
  });

  it('is less specific for redeemed codes once the limit on look-ups per second is reached', async () => {
    const redeemedCode = await running.authorize(client, await running.addUser());
    await running.token(client, {
      grant_type: 'authorization_code',
      code: redeemedCode,
      redirect_uri: 'https://app.example/callback',
    });
    const redeemAgain = (): Promise<TestResponse> =>
      running.token(client, {
        grant_type: 'authorization_code',
        code: redeemedCode,
        redirect_uri: 'https://app.example/callback',
      });
    const rules = new Set<string | undefined>();
    for (let times = 0; times < 60; times += 1) rules.add(findExplanation(await redeemAgain())?.rule);
    expect([...rules]).to.deep.equal(['code-redeemed', 'credential-dead']);
    running.clock.advance(1);
    expect(findExplanation(await redeemAgain())?.rule).to.equal('code-redeemed');
  });

  it('states the rate limit', async () => {
    await running.close();
    await startService({ limits: SMALL_LIMITS });
    for (let times = 0; times < 3; times += 1) await sendWrongSecret(client.id);
    const response = await sendWrongSecret(client.id);
    expect(response.status).to.equal(429);
    expect(findExplanation(response)).to.include({
      rule: 'rate-limit',
      clientId: client.id,
      error: 'temporarily_unavailable',
    });
    expect(findExplanation(response)?.details).to.deep.equal({
      limit: 'client-secret-by-client-and-address',
      retryAfterSeconds: 900,
    });
  });

  it('exists for denials by a policy of the embedding application, and is in the log at debug level', async () => {
    const lines: object[] = [];
    const app = createApp(running.service(), {
      error: (details) => expect.fail(String(details['err'])),
      debug: (details) => void lines.push(details),
    });
    app.use(requirePolicy(alternativeScopes({ POST: [['write']] })));
    const handle = app.callback();
    const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { json } = await running.token(client, { grant_type: 'client_credentials', scope: 'read' });
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/own/`, {
        headers: { authorization: `Bearer ${String(json?.['access_token'])}` },
      });
      expect(response.status).to.equal(403);
      expect(findExplanation(response)).to.include({ rule: 'policy-forbids', clientId: client.id, isProven: true });
      expect(lines).to.deep.equal([
        { requestId: response.headers.get('x-request-id'), rule: 'policy-forbids', clientId: client.id },
      ]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('is counted by rule', async () => {
    await sendWrongScope(client);
    await sendWrongScope(client);
    await sendWrongSecret(client.id);
    expect(running.service().explanations.counts()).to.include({
      'scope-unknown': 2,
      'client-secret-wrong': 1,
      'code-expired': 0,
    });
  });

  it('is not recorded in an event', async () => {
    const eventCount = (await running.events()).length;
    await sendWrongScope(client);
    await sendWrongSecret(client.id);
    expect(await running.events()).to.have.length(eventCount);
  });
});
