import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import { keyPairFor } from '../support/assertions.ts';
import {
  signProof,
  updateSecuritySettings,
  NONCE_PERIOD_SECONDS,
  thumbprintOf,
  tokenWithProof,
} from '../support/dpop.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const KEY = keyPairFor('ES256', 'DPoP key');
const OTHER_KEY = keyPairFor('ES256', 'another DPoP key');
const CLIENT_CREDENTIALS = { grant_type: 'client_credentials', scope: 'read' };

describe('RFC 9449 §5: a token request with a DPoP proof', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    running.clock.advance(NONCE_PERIOD_SECONDS);
    client = await running.addClient();
  });
  afterEach(() => running.close());

  const requestToken = async (parameters: Readonly<Record<string, string>> = CLIENT_CREDENTIALS, key = KEY) =>
    tokenWithProof(running, client, parameters, await signProof(running, key));

  async function requestWithPassword(application = client) {
    const { username, password } = await running.addUser();
    const parameters = { grant_type: 'password', username, password, scope: 'read' };
    return tokenWithProof(running, application, parameters, await signProof(running, KEY));
  }

  for (const algorithm of ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const) {
    it(`gets a bound token for a proof with ${algorithm}`, async () => {
      const key = keyPairFor(algorithm === 'Ed25519' ? 'EdDSA' : algorithm);
      const proof = await signProof(running, key, { header: { alg: algorithm } });
      const { status, json } = await tokenWithProof(running, client, CLIENT_CREDENTIALS, proof);
      expect([status, json?.['token_type']], JSON.stringify(json)).to.deep.equal([200, 'DPoP']);
    });
  }

  it('adds its key thumbprint to the event, introspection responses and JWTs', async () => {
    const jwtClient = await running.addClient({ accessTokenFormat: 'jwt' });
    const cnf = { jkt: await thumbprintOf(KEY) };
    for (const application of [client, jwtClient]) {
      const proof = await signProof(running, KEY);
      const token = String(
        (await tokenWithProof(running, application, CLIENT_CREDENTIALS, proof)).json?.['access_token'],
      );
      const issuance = (await running.events()).map(decodeEvent).findLast(({ type }) => type === 'AccessTokenIssued');
      expect(issuance?.data).to.deep.include({ confirmation: { method: 'jkt', thumbprint: cnf.jkt } });
      const introspect = () => running.post('/o/introspect/', { token }, { authorization: application.basic });
      expect((await introspect()).json).to.deep.include({ active: true, token_type: 'DPoP', cnf });
      await running.restart();
      running.clock.advance(NONCE_PERIOD_SECONDS);
      expect((await introspect()).json).to.deep.include({ active: true, token_type: 'DPoP', cnf });
      if (application === jwtClient) expect(decodeJwt(token)).to.deep.include({ cnf });
    }
  });

  it("can have a proof for the endpoint's mutual TLS alias (RFC 8705 §5)", async () => {
    await running.close();
    running = await runningService({ settings: { mtlsUrl: 'https://mtls.example' } });
    running.clock.advance(NONCE_PERIOD_SECONDS);
    const application = await running.addClient();
    const fetchStatus = async (base: string): Promise<number> => {
      const proof = await signProof(running, KEY, { claims: { htu: `${base}/o/token/` } });
      return (await tokenWithProof(running, application, CLIENT_CREDENTIALS, proof)).status;
    };
    expect(await fetchStatus('https://mtls.example')).to.equal(200);
    expect(await fetchStatus('http://localhost:8000')).to.equal(200);
    expect(await fetchStatus('https://other.example')).to.equal(400);
  });

  it('is not necessary for a bearer token', async () => {
    const { json } = await running.token(client, CLIENT_CREDENTIALS);
    expect(json).to.include({ token_type: 'Bearer' });
    const token = String(json?.['access_token']);
    const introspection = await running.post('/o/introspect/', { token }, { authorization: client.basic });
    expect(introspection.json).to.include({ token_type: 'Bearer' }).and.not.have.property('cnf');
  });

  it('binds the refresh token of a public client, but not that of a confidential client', async () => {
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['password'] });
    const outcomes = [];
    for (const application of [publicClient, client]) {
      const { json } = await requestWithPassword(application);
      const parameters = { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) };
      const otherKeyResponse = await tokenWithProof(
        running,
        application,
        parameters,
        await signProof(running, OTHER_KEY),
      );
      outcomes.push(otherKeyResponse.json?.['error'] ?? otherKeyResponse.json?.['token_type']);
    }
    expect(outcomes).to.deep.equal(['invalid_grant', 'DPoP']);
  });

  it('gets a lost refresh response again only with a proof for the same key', async () => {
    const { json } = await requestWithPassword();
    const parameters = { grant_type: 'refresh_token', refresh_token: String(json?.['refresh_token']) };
    const first = await requestToken(parameters);
    const repeatedResponse = await requestToken(parameters);
    expect(repeatedResponse.json).to.deep.equal(first.json).and.to.include({ token_type: 'DPoP' });
    expect((await requestToken(parameters, OTHER_KEY)).json).to.include({ error: 'invalid_grant' });
    expect((await running.token(client, parameters)).json).to.include({ error: 'invalid_grant' });
  });

  it('can contain a code, a refresh token or a password', async () => {
    const user = await running.addUser();
    const code = await running.authorize(client, user, { scope: 'read' });
    const redemptionResponse = await requestToken({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    expect(redemptionResponse.json).to.include({ token_type: 'DPoP' });
    const refreshResponse = await requestToken({
      grant_type: 'refresh_token',
      refresh_token: String(redemptionResponse.json?.['refresh_token']),
    });
    expect(refreshResponse.json).to.include({ token_type: 'DPoP' });
    expect((await requestWithPassword()).json).to.include({ token_type: 'DPoP' });
  });

  it('can be required of a client by its registration, and of all clients by a setting', async () => {
    await updateSecuritySettings(running, client, { dpopBoundAccessTokens: true });
    const refusal = await running.token(client, CLIENT_CREDENTIALS);
    expect([refusal.status, refusal.json?.['error']]).to.deep.equal([400, 'invalid_dpop_proof']);
    expect((await requestToken()).status).to.equal(200);
    const otherClient = await running.addClient();
    expect((await running.token(otherClient, CLIENT_CREDENTIALS)).status).to.equal(200);
    await running.restart({ requireDpop: true });
    expect((await running.token(otherClient, CLIENT_CREDENTIALS)).json).to.include({ error: 'invalid_dpop_proof' });
  });

  it('is advertised in the metadata', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const { json } = await running.get(`/.well-known/${name}`);
      expect(json?.['dpop_signing_alg_values_supported']).to.include.members(['ES256', 'PS256', 'EdDSA']);
    }
  });
});

describe('RFC 9449 §10: a code that is requested for a key', () => {
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    running = await runningService();
    running.clock.advance(NONCE_PERIOD_SECONDS);
    client = await running.addClient();
  });
  afterEach(() => running.close());

  it('is redeemed only with a proof for that key', async () => {
    const user = await running.addUser();
    const code = await running.authorize(client, user, { scope: 'read', dpop_jkt: await thumbprintOf(KEY) });
    const parameters = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    expect((await running.token(client, parameters)).json).to.include({ error: 'invalid_grant' });
    const otherKeyResponse = await tokenWithProof(running, client, parameters, await signProof(running, OTHER_KEY));
    expect(otherKeyResponse.json).to.include({ error: 'invalid_grant' });
    const response = await tokenWithProof(running, client, parameters, await signProof(running, KEY));
    expect(response.json).to.include({ token_type: 'DPoP' });
  });

  it('is refused if the thumbprint is malformed', async () => {
    const user = await running.addUser();
    const browser = running.browser();
    await browser.logIn(user.username, user.password);
    const query = new URLSearchParams({ response_type: 'code', client_id: client.id, dpop_jkt: 'no thumbprint' });
    const { location } = await browser.get(`/o/authorize/?${query.toString()}&redirect_uri=${REDIRECT_URI}`);
    expect(new URL(location ?? '').searchParams.get('error')).to.equal('invalid_request');
  });
});

async function collectFindings(running: RunningService): Promise<readonly unknown[]> {
  const findings: unknown[] = [];
  const items = audit(running.log.readAll(START));
  for (let next = await items.next(); next.done !== true; next = await items.next())
    if ('rule' in next.value) findings.push(next.value);
  return findings;
}

describe('FAPI 2.0 Security Profile §5.3.2.1: the refresh token of a client whose tokens are all bound', () => {
  let running: RunningService;

  beforeEach(async () => {
    running = await runningService({ settings: { refreshTokenLifetimeSeconds: 1_000_000 } });
    running.clock.advance(NONCE_PERIOD_SECONDS);
  });
  afterEach(() => running.close());

  async function addBoundClient(clientType: 'confidential' | 'public') {
    const accessTokenFormat = clientType === 'public' ? 'jwt' : 'opaque';
    const client = await running.addClient({ clientType, grantTypes: ['password'], accessTokenFormat });
    await updateSecuritySettings(running, client, { dpopBoundAccessTokens: true });
    const { username, password } = await running.addUser();
    const parameters = { grant_type: 'password', username, password, scope: 'read write' };
    const { json } = await tokenWithProof(running, client, parameters, await signProof(running, KEY));
    return { client, refreshToken: String(json?.['refresh_token']) };
  }

  for (const clientType of ['confidential', 'public'] as const) {
    it(`remains valid, and each use issues a new access token (${clientType} client)`, async () => {
      const { client, refreshToken } = await addBoundClient(clientType);
      const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const tokens = new Set<unknown>();
      for (let times = 0; times < 60; times += 1) {
        const { json } = await tokenWithProof(running, client, parameters, await signProof(running, KEY));
        expect(json).to.include({ refresh_token: refreshToken, token_type: 'DPoP', scope: 'read write' });
        tokens.add(json?.['access_token']);
        if (times % 25 === 24) {
          await running.restart();
          running.clock.advance(NONCE_PERIOD_SECONDS);
        }
      }
      expect(tokens.size).to.equal(60);
      const types = (await running.events()).map(({ type }) => type);
      expect(types.filter((type) => type === 'GrantSummarized')).to.have.length(2);
      expect(types).to.not.include('RefreshTokenRotated');
      expect(await collectFindings(running)).to.deep.equal([]);
      const narrowedRequest = { ...parameters, scope: 'read' };
      const { json } = await tokenWithProof(running, client, narrowedRequest, await signProof(running, KEY));
      expect(json).to.include({ refresh_token: refreshToken, scope: 'read' });
    });
  }

  it('is rotated if it was issued to a public client without being bound', async () => {
    const publicClient = await running.addClient({ clientType: 'public', grantTypes: ['password'] });
    const user = await running.addUser();
    const issuance = await running.post('/o/token/', { grant_type: 'password', client_id: publicClient.id, ...user });
    await updateSecuritySettings(running, publicClient, { dpopBoundAccessTokens: true });
    const parameters = { grant_type: 'refresh_token', refresh_token: String(issuance.json?.['refresh_token']) };
    const first = await tokenWithProof(running, publicClient, parameters, await signProof(running, KEY));
    expect(first.json?.['refresh_token']).to.be.a('string').and.not.equal(parameters.refresh_token);
    running.clock.advance(60);
    const thiefResponse = await tokenWithProof(running, publicClient, parameters, await signProof(running, OTHER_KEY));
    expect(thiefResponse.json).to.include({ error: 'invalid_grant' });
    expect((await running.events()).at(-1)?.type).to.equal('GrantRevoked');
  });

  it('still expires and can be revoked', async () => {
    const { client, refreshToken } = await addBoundClient('confidential');
    const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const refresh = async () => tokenWithProof(running, client, parameters, await signProof(running, KEY));
    running.clock.advance(999_999);
    expect((await refresh()).status).to.equal(200);
    running.clock.advance(2);
    expect((await refresh()).json).to.include({ error: 'invalid_grant' });
    const otherGrant = await addBoundClient('confidential');
    await running.post(
      '/o/revoke_token/',
      { token: otherGrant.refreshToken },
      { authorization: otherGrant.client.basic },
    );
    const revokedRequest = { ...parameters, refresh_token: otherGrant.refreshToken };
    const response = await tokenWithProof(running, otherGrant.client, revokedRequest, await signProof(running, KEY));
    expect(response.json).to.include({ error: 'invalid_grant' });
  });

  it("remains valid if it was issued by a rotation before all the client's tokens had to be bound", async () => {
    const client = await running.addClient({ grantTypes: ['password'] });
    const { username, password } = await running.addUser();
    const parameters = { grant_type: 'password', username, password, scope: 'read' };
    const first = await tokenWithProof(running, client, parameters, await signProof(running, KEY));
    const refresh = async (token: unknown) =>
      tokenWithProof(
        running,
        client,
        { grant_type: 'refresh_token', refresh_token: String(token) },
        await signProof(running, KEY),
      );
    const rotationResponse = await refresh(first.json?.['refresh_token']);
    expect(rotationResponse.json?.['refresh_token']).to.not.equal(first.json?.['refresh_token']);
    await updateSecuritySettings(running, client, { dpopBoundAccessTokens: true });
    const repeatedResponse = await refresh(first.json?.['refresh_token']);
    expect(repeatedResponse.json).to.deep.equal(rotationResponse.json);
    const reuseResponse = await refresh(rotationResponse.json?.['refresh_token']);
    expect(reuseResponse.json).to.include({ refresh_token: rotationResponse.json?.['refresh_token'] });
  });
});
