import { englishMessages } from '../support/english-messages.ts';
import { expect } from 'chai';
import { decodeEvent } from '../../src/domain/events.ts';
import { SIGNING_ALGORITHMS } from '../../src/domain/values.ts';
import { signAssertion, clientKeys, keyPairFor, registerKeys, withAssertion } from '../support/assertions.ts';
import { authorizePath, openSession } from '../support/authorize-requests.ts';
import { expectRefusal } from '../support/protocol-responses.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';
import { SMALL_LIMITS } from '../support/small-limits.ts';

const KEY = keyPairFor('ES256');
const NEXT_KEY = keyPairFor('EdDSA');

describe('RFC 7523 §3: a client assertion', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient({ grantTypes: ['client-credentials'] });
    await registerKeys(running, client, KEY);
  });
  afterEach(() => running.close());

  const requestToken = (assertion: string, extraParameters: Readonly<Record<string, string>> = {}) =>
    running.post('/o/token/', { grant_type: 'client_credentials', ...withAssertion(assertion), ...extraParameters });

  async function fetchStatus(key: typeof KEY): Promise<number> {
    return (await requestToken(await signAssertion(running, client, key))).status;
  }

  for (const algorithm of SIGNING_ALGORITHMS) {
    it(`authenticates with ${algorithm}`, async () => {
      const key = keyPairFor(algorithm);
      await registerKeys(running, client, key);
      const { status, json } = await requestToken(
        await signAssertion(running, client, key, { header: { alg: algorithm } }),
      );
      expect([status, json?.['token_type']]).to.deep.equal([200, 'Bearer']);
    });
  }

  it('authenticates at the token, introspection and revocation endpoints, with or without client_id', async () => {
    const { json } = await requestToken(await signAssertion(running, client, KEY), { client_id: client.id });
    const token = String(json?.['access_token']);
    const sendTo = async (path: string) =>
      running.post(path, { token, ...withAssertion(await signAssertion(running, client, KEY)) });
    expect((await sendTo('/o/introspect/')).json).to.include({ active: true });
    expect((await sendTo('/o/revoke_token/')).status).to.equal(200);
    expect((await sendTo('/o/introspect/')).json).to.deep.equal({ active: false });
  });

  it('needs no kid if one of several keys verifies it', async () => {
    await registerKeys(running, client, keyPairFor('ES256', 'another key'), KEY, NEXT_KEY);
    const assertion = await signAssertion(running, client, KEY, { header: { kid: undefined } });
    expect((await requestToken(assertion)).status).to.equal(200);
  });

  it('is refused by every endpoint, with a message that states the limit, if its kid is 10 KB long', async () => {
    const assertion = await signAssertion(running, client, KEY, { header: { kid: 'k'.repeat(10_240) } });
    for (const path of ['/o/token/', '/o/introspect/', '/o/revoke_token/', '/o/par/', '/o/device_authorization/']) {
      const eventCount = (await running.events()).length;
      const refusal = await running.post(path, { client_id: client.id, ...withAssertion(assertion) });
      expectRefusal(refusal, 'invalid_client');
      expect(refusal.json?.['error_description']).to.equal('client_assertion is longer than 8192 characters');
      const explanation = running.service().explanations.find(refusal.headers.get('x-request-id') ?? '');
      expect(explanation, path).to.deep.include({ rule: 'assertion-too-long', clientId: client.id });
      expect(englishMessages(explanation)['seen']).to.equal(`${assertion.length} characters`);
      expect((await running.events()).length).to.equal(eventCount);
    }
  });

  it('is ignored in an authorization request, even if it is overlong', async () => {
    const query = new URLSearchParams({ client_assertion: 'a'.repeat(9_000) });
    const browser = await openSession(running, await running.addUser());
    const app = await running.addClient();
    expect((await browser.get(`${authorizePath(app)}&${query.toString()}`)).status).to.equal(200);
  });

  it('can be issued up to thirty seconds in the future, because clocks may be inaccurate', async () => {
    const now = Math.floor(running.clock.now() / 1000);
    const claims = { iat: now + 30, nbf: now + 30, exp: now + 630 };
    expect((await requestToken(await signAssertion(running, client, KEY, { claims }))).status).to.equal(200);
  });

  it('must not be a JWT for another purpose, and its algorithm must be a string', async () => {
    for (const typ of ['oauth-authz-req+jwt', 'dpop+jwt', 'at+jwt', 7])
      expect((await requestToken(await signAssertion(running, client, KEY, { header: { typ } }))).status).to.equal(401);
    for (const typ of ['JWT', 'application/jwt', 'client-authentication+jwt', 'application/client-authentication+jwt'])
      expect((await requestToken(await signAssertion(running, client, KEY, { header: { typ } }))).status).to.equal(200);
    const [, claims = ''] = (await signAssertion(running, client, KEY)).split('.');
    const header = Buffer.from(JSON.stringify({ alg: { toString: 1 } })).toString('base64url');
    expect((await requestToken(`${header}.${claims}.AAAA`)).status).to.equal(401);
  });

  it('is accepted only once, even after a restart', async () => {
    const assertion = await signAssertion(running, client, KEY);
    expect((await requestToken(assertion)).status).to.equal(200);
    expect((await requestToken(assertion)).json).to.include({ error: 'invalid_client' });
    await running.restart();
    expect((await requestToken(assertion)).json).to.include({ error: 'invalid_client' });
  });

  it('is accepted only once if fifty concurrent requests present it', async () => {
    const assertion = await signAssertion(running, client, KEY);
    const responses = await Promise.all(Array.from({ length: 50 }, () => requestToken(assertion)));
    expect(responses.map(({ status }) => status)).to.have.members([200, ...Array<number>(49).fill(401)]);
  });

  it('has an id that another client can also use', async () => {
    const otherClient = await running.addClient({ grantTypes: ['client-credentials'] });
    await registerKeys(running, otherClient, NEXT_KEY);
    const claims = { jti: 'the same' };
    expect((await requestToken(await signAssertion(running, client, KEY, { claims }))).status).to.equal(200);
    expect((await requestToken(await signAssertion(running, otherClient, NEXT_KEY, { claims }))).status).to.equal(200);
  });

  it('is refused beyond a per-minute limit, because each adds an event even if the request is refused', async () => {
    await running.close();
    running = await runningService({ limits: SMALL_LIMITS });
    client = await running.addClient({ grantTypes: ['client-credentials'] });
    await registerKeys(running, client, KEY);
    const statuses = [];
    for (let times = 0; times < 5; times += 1) {
      const assertion = await signAssertion(running, client, KEY);
      statuses.push((await requestToken(assertion, { scope: 'unknown' })).status);
    }
    expect(statuses).to.deep.equal([400, 400, 400, 400, 429]);
    const acceptances = (await running.events()).filter(({ type }) => type === 'ClientAssertionAccepted');
    expect(acceptances).to.have.length(4);
    running.clock.advance(60);
    expect(await fetchStatus(KEY)).to.equal(200);
  });

  it('adds no event if it is refused, and one event with the key if it is accepted', async () => {
    const eventCount = (await running.events()).length;
    await requestToken(await signAssertion(running, client, keyPairFor('ES256', 'another key')));
    await requestToken(await signAssertion(running, client, KEY, { claims: { exp: 1 } }));
    expect(await running.events()).to.have.lengthOf(eventCount);
    const [key] = await clientKeys(KEY);
    await requestToken(await signAssertion(running, client, KEY));
    const [acceptance, issuance] = (await running.events()).slice(eventCount).map(decodeEvent);
    expect(acceptance).to.deep.include({
      type: 'ClientAssertionAccepted',
      data: {
        clientId: client.id,
        keyId: key?.keyId,
        algorithm: 'ES256',
        expiresAt: Math.floor(running.clock.now() / 1000) + 60,
      },
    });
    expect(issuance?.type).to.equal('AccessTokenIssued');
  });

  it('can be signed with the old or the new key until the old key is removed', async () => {
    await registerKeys(running, client, KEY, NEXT_KEY);
    expect([await fetchStatus(KEY), await fetchStatus(NEXT_KEY)]).to.deep.equal([200, 200]);
    await registerKeys(running, client, NEXT_KEY);
    expect([await fetchStatus(KEY), await fetchStatus(NEXT_KEY)]).to.deep.equal([401, 200]);
  });

  it('records the last use of its key, and the record survives a restart but not the removal of the key', async () => {
    const [key, nextKey] = await clientKeys(KEY, NEXT_KEY);
    const lastKeyUses = () => running.service().projections.clients.find(client.id)?.lastUse.keys ?? {};
    await registerKeys(running, client, KEY, NEXT_KEY);
    expect(lastKeyUses()).to.deep.equal({});
    await fetchStatus(KEY);
    const usedAt = Math.floor(running.clock.now() / 1000);
    await running.restart();
    expect(lastKeyUses()[key?.keyId ?? '']).to.include({ at: usedAt });
    expect(lastKeyUses()).to.not.have.property(nextKey?.keyId ?? '');
    await registerKeys(running, client, NEXT_KEY);
    expect(lastKeyUses()).to.deep.equal({});
  });

  it("replaces the client secret, which is refused until the secret's method is allowed again", async () => {
    expect((await running.token(client, { grant_type: 'client_credentials' })).status).to.equal(401);
    const { registration, projections } = running.service();
    const registeredClient = projections.clients.find(client.id) ?? expect.fail('the client is not registered');
    const authentication = { methods: ['client_secret_basic', 'private_key_jwt'], keys: await clientKeys(KEY) };
    await registration.update(
      registeredClient.clientId,
      { ...registeredClient, authentication },
      { actor: { kind: 'operator' }, requestId: null },
    );
    expect((await running.token(client, { grant_type: 'client_credentials' })).status).to.equal(200);
    expect(await fetchStatus(KEY)).to.equal(200);
    const bodyCredentials = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
    expect((await running.post('/o/token/', bodyCredentials)).status).to.equal(401);
  });
});
