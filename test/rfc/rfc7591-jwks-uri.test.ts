import { expect } from 'chai';
import { signAssertion, clientKeys, keyPairFor, registerKeysUri, withAssertion } from '../support/assertions.ts';
import { startHostileServer, type HostileServer } from '../support/hostile-server.ts';
import { manualTimers } from '../support/manual-timers.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';
import { englishProblem } from '../support/english-problems.ts';

const KEY = keyPairFor('ES256');
const NEXT_KEY = keyPairFor('EdDSA');
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

const keySetResponse = (...pairs: readonly (typeof KEY)[]): string => {
  const body = JSON.stringify({ keys: pairs.map(({ jwk }) => jwk) });
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nCache-Control: max-age=60\r\n\r\n${body}`;
};

describe('RFC 7591 §2: a client with a jwks_uri', () => {
  let server: HostileServer;
  let running: RunningService;
  let client: TestClient;
  let response: string | null;
  const timers = manualTimers();

  beforeEach(async () => {
    response = keySetResponse(KEY);
    server = await startHostileServer((socket) => response !== null && socket.end(response));
    running = await runningService({
      settings: { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] },
      startTimer: timers.startTimer,
      resolve: async (host) => [{ address: host === 'private.example' ? '10.0.0.1' : '127.0.0.1', family: 4 }],
    });
    client = await running.addClient({ grantTypes: ['client-credentials'] });
    await registerKeysUri(running, client, uri());
  });
  afterEach(async () => {
    await running.close();
    await server.close();
  });

  const uri = (host = 'app.example'): string => `http://${host}:${server.port}/jwks.json`;

  async function fetchStatus(key: typeof KEY): Promise<number> {
    const assertion = withAssertion(await signAssertion(running, client, key));
    return (await running.post('/o/token/', { grant_type: 'client_credentials', ...assertion })).status;
  }

  it('authenticates with each published key until the key is removed', async () => {
    expect([await fetchStatus(KEY), await fetchStatus(NEXT_KEY)]).to.deep.equal([200, 401]);
    response = keySetResponse(KEY, NEXT_KEY);
    running.clock.advance(60);
    expect([await fetchStatus(KEY), await fetchStatus(NEXT_KEY)]).to.deep.equal([200, 200]);
    response = keySetResponse(NEXT_KEY);
    running.clock.advance(60);
    expect([await fetchStatus(KEY), await fetchStatus(NEXT_KEY)]).to.deep.equal([401, 200]);
  });

  it('records the key thumbprint, so that the last use of the key can be shown', async () => {
    await fetchStatus(KEY);
    const [key] = await clientKeys(KEY);
    const { lastUse } =
      running.service().projections.clients.find(client.id) ?? expect.fail('the client is not registered');
    expect(lastUse.keys[key?.keyId ?? '']).to.have.property('position');
  });

  it('causes neither events nor requests if someone else sends assertions in its name', async () => {
    await fetchStatus(KEY);
    const eventCount = (await running.events()).length;
    for (let times = 0; times < 50; times += 1) await fetchStatus(keyPairFor('ES256', 'forged'));
    expect(await running.events()).to.have.length(eventCount);
    expect(server.requests).to.have.length(1);
  });

  it('keeps its earlier keys while its server does not respond, without delaying other clients', async () => {
    await fetchStatus(KEY);
    response = null;
    running.clock.advance(60);
    const pendingStatus = fetchStatus(KEY);
    await server.waitForRequests(2);
    const otherClient = await running.addClient({ grantTypes: ['client-credentials'] });
    expect((await running.token(otherClient, { grant_type: 'client_credentials' })).status).to.equal(200);
    timers.expire(5_000);
    expect(await pendingStatus).to.equal(200);
  });

  for (const [name, otherResponse] of [
    ['is a redirect', 'HTTP/1.1 302 Found\r\nLocation: https://app.example/\r\nContent-Length: 0\r\n\r\n'],
    ['is too large', `HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n${' '.repeat(70_000)}`],
    ['is not JSON', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx'],
  ] as const)
    it(`is refused if its document ${name}`, async () => {
      response = otherResponse;
      expect(await fetchStatus(KEY)).to.equal(401);
    });

  it('is refused if its document is at a private address', async () => {
    await registerKeysUri(running, client, uri('private.example'));
    expect(await fetchStatus(KEY)).to.equal(401);
    expect(server.requests).to.have.length(0);
  });

  it('cannot also have registered keys, and needs a jwks_uri that the server can request', async () => {
    const registeredClient =
      running.service().projections.clients.find(client.id) ?? expect.fail('the client is not registered');
    const findProblem = async (keysUri: string, keys = registeredClient.authentication.keys) => {
      const authentication = { methods: ['private_key_jwt'], keys, keysUri };
      const refusal = await running
        .service()
        .registration.update(registeredClient.clientId, { ...registeredClient, authentication }, OPERATOR);
      return refusal !== undefined && 'errors' in refusal ? englishProblem(refusal.errors.authentication) : refusal;
    };
    expect(await findProblem(uri(), await clientKeys(KEY))).to.match(/but not both/);
    expect(await findProblem('ftp://app.example/')).to.match(/The jwks_uri is not an https/);
    expect(await findProblem('https://user@app.example/')).to.match(/must not have a user name/);
    expect(await findProblem('https://app.example/jwks.json')).to.equal(undefined);
  });
});
