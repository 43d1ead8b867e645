import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { audit } from '../../src/audit/rules/auditor.ts';
import { decodeEvent, type EventOf } from '../../src/domain/events.ts';
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../src/domain/values.ts';
import { START } from '../../src/event-store/event-log.ts';
import { sessionIdFor } from '../../src/oauth/openid/session-id.ts';
import { keyPairFor } from '../support/assertions.ts';
import { approveDevice, requestCodes, poll } from '../support/devices.ts';
import { signProof, updateSecuritySettings, tokenWithProof } from '../support/dpop.ts';
import { FILES, registerResource } from '../support/resource-servers.ts';
import {
  REDIRECT_URI,
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const ISSUER = 'http://localhost:8000';
const NONCE = 'n-0S6_WzA2Mj';

interface Tokens {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly id_token: string;
}

describe('OpenID Connect Core §2: an ID token', () => {
  let running: RunningService;
  let client: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    running = await runningService();
    client = await running.addClient();
    user = await running.addUser();
  });
  afterEach(() => running.close());

  async function redeem(
    parameters: Readonly<Record<string, string>> = {},
    fields: Readonly<Record<string, string>> = {},
  ): Promise<Tokens> {
    const code = await running.authorize(client, user, { scope: 'openid', ...parameters }, fields);
    const { status, json } = await running.token(client, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    });
    expect(status).to.equal(200);
    return json as unknown as Tokens;
  }

  const refresh = (refresh_token: string, extraParameters: Readonly<Record<string, string>> = {}) =>
    running.token(client, { grant_type: 'refresh_token', refresh_token, ...extraParameters });

  async function listEvents<Type extends 'ConsentGiven' | 'IdTokenIssued'>(type: Type) {
    return (await running.events())
      .map((event) => ({ ...event, ...decodeEvent(event) }))
      .filter((event) => event.type === type) as unknown as readonly (EventOf<Type> & { readonly position: number })[];
  }

  const verify = async (idToken: string) =>
    jwtVerify(idToken, createRemoteJWKSet(new URL('/.well-known/jwks.json', running.origin())), {
      issuer: ISSUER,
      audience: client.id,
      currentDate: new Date(running.clock.now()),
    });

  it('is issued for a code if and only if the scope contains openid', async () => {
    expect(await redeem()).to.have.property('id_token');
    expect(await redeem({ scope: 'read' })).not.to.have.property('id_token');
  });

  it('is signed with a published key, and states the user, the server and the login time and method', async () => {
    running.clock.advance(60);
    const { id_token, access_token, expires_in } = await redeem({ nonce: NONCE });
    const { payload, protectedHeader } = await verify(id_token);
    expect(protectedHeader).to.include({ alg: 'RS256', typ: 'JWT' });
    const [consent] = await listEvents('ConsentGiven');
    const login = consent?.data.login;
    const { jti, ...claims } = payload;
    expect(jti, "the grant id and a part of the access token's hash").to.match(/^[\w-]{22}\.[\w-]{22}$/);
    expect(claims).to.deep.equal({
      iss: ISSUER,
      sub: consent?.data.userId,
      aud: client.id,
      exp: Math.floor(running.clock.now() / 1000) + expires_in,
      iat: Math.floor(running.clock.now() / 1000),
      nonce: NONCE,
      at_hash: createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url'),
      auth_time: login?.authTime,
      acr: 'pwd',
      amr: ['pwd'],
      sid: sessionIdFor(consent?.data.clientId ?? ('' as never), login?.sessionHash ?? ''),
    });
  });

  it('has the individually requested claims, but not those of the scope, which userinfo returns (§5.4)', async () => {
    const claims = JSON.stringify({ id_token: { preferred_username: { essential: true }, nickname: null } });
    const { id_token } = await redeem({ scope: 'openid profile email', claims });
    expect(decodeJwt(id_token)).to.include({ preferred_username: user.username });
    expect(decodeJwt(id_token)).not.to.have.any.keys('nickname', 'name', 'email');
  });

  it('has a claim that was requested with specific values only if its value is one of them', async () => {
    const claims = (values: readonly string[]) => JSON.stringify({ id_token: { preferred_username: { values } } });
    expect(decodeJwt((await redeem({ claims: claims(['x', user.username]) })).id_token)).to.include({
      preferred_username: user.username,
    });
    expect(decodeJwt((await redeem({ claims: claims(['x']) })).id_token)).not.to.have.property('preferred_username');
  });

  it('has the claims of the consent that precedes it in the log, and is recorded without their values', async () => {
    const claims = JSON.stringify({ id_token: { preferred_username: null }, userinfo: { email: null } });
    const { refresh_token } = await redeem({ claims });
    await redeem();
    await refresh(refresh_token);
    const consents = await listEvents('ConsentGiven');
    const issuances = await listEvents('IdTokenIssued');
    expect(issuances.map(({ data }) => data.claims)).to.deep.equal([
      ['preferred_username'],
      [],
      ['preferred_username'],
    ]);
    expect(consents[0]?.data).to.deep.include({
      claims: { idToken: ['preferred_username'], userinfo: ['email'] },
    });
    expect(consents[0]?.data.requested?.claims).to.deep.equal({
      idToken: [{ name: 'preferred_username' }],
      userinfo: [{ name: 'email' }],
    });
    expect(JSON.stringify(issuances)).not.to.include(user.username);
  });

  it('has exactly the claims of its consent, whatever claims were requested and denied', async () => {
    const claim = fc.constantFrom('preferred_username', 'name', 'email', 'nickname', 'unknown');
    const arbitraryRequest = fc.record({
      idToken: fc.uniqueArray(claim),
      userinfo: fc.uniqueArray(claim),
      leaveOut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(arbitraryRequest, async ({ idToken, userinfo, leaveOut }) => {
        const requestFor = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
        const claims = JSON.stringify({ id_token: requestFor(idToken), userinfo: requestFor(userinfo) });
        const { id_token } = await redeem(
          { scope: 'openid profile', claims },
          leaveOut ? { leave_out: 'profile' } : {},
        );
        const consent = (await listEvents('ConsentGiven')).at(-1);
        const issuance = (await listEvents('IdTokenIssued')).at(-1);
        const grantedClaims = consent?.data.claims?.idToken ?? [];
        expect(consent?.position).to.be.below(issuance?.position ?? 0);
        expect(issuance?.data.claims).to.deep.equal(grantedClaims);
        const hasName = idToken.includes('preferred_username') && !leaveOut;
        expect(grantedClaims.includes('preferred_username')).to.equal(hasName);
        expect('preferred_username' in decodeJwt(id_token)).to.equal(hasName);
        expect(decodeJwt(id_token)).not.to.have.any.keys('name', 'nickname', 'email', 'unknown');
      }),
      { numRuns: 15 },
    );
  });

  it('is issued on refresh, without the nonce and with the same login (§12.2)', async () => {
    const first = await redeem({ nonce: NONCE });
    running.clock.advance(100);
    const { json } = await refresh(first.refresh_token);
    const [initialClaims, refreshedClaims] = [decodeJwt(first.id_token), decodeJwt(String(json?.['id_token']))];
    expect(refreshedClaims).not.to.have.property('nonce');
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid'])
      expect(refreshedClaims[name], name).to.equal(initialClaims[name]);
    expect(refreshedClaims.iat).to.equal((initialClaims.iat ?? 0) + 100);
  });

  it('is not issued on a refresh that leaves out openid', async () => {
    const { refresh_token } = await redeem({ scope: 'openid read' });
    const { json } = await refresh(refresh_token, { scope: 'read' });
    expect(json).not.to.have.property('id_token');
    expect((await refresh(refresh_token, { scope: 'read' })).json).to.deep.equal(json);
  });

  for (const algorithm of SIGNING_ALGORITHMS) {
    it(`is repeated for a client that lost the response to a refresh, with ${algorithm}`, async () => {
      client = await running.addClient({ openid: { idTokenAlgorithm: algorithm } });
      const { refresh_token } = await redeem();
      running.clock.advance(100);
      const lostResponse = (await refresh(refresh_token)).json;
      running.clock.advance(10);
      const repeatedResponse = (await refresh(refresh_token)).json;
      const [lostToken, repeatedToken] = [String(lostResponse?.['id_token']), String(repeatedResponse?.['id_token'])];
      expect(decodeProtectedHeader(repeatedToken)).to.include({ alg: algorithm });
      expect(decodeJwt(repeatedToken)).to.deep.equal(decodeJwt(lostToken));
      expect((await verify(repeatedToken)).payload.sub).to.be.a('string');
      if (isDeterministic(algorithm)) expect(repeatedResponse).to.deep.equal(lostResponse);
    });
  }

  it('is issued even if a forged form leaves out openid', async () => {
    expect(await redeem({ scope: 'openid read' }, { leave_out: 'openid' })).to.have.property('id_token');
  });

  it('is issued even if the scope of the access token lacks openid, and the audit finds no violation', async () => {
    await registerResource(running);
    client = await running.addClient({ grantTypes: ['authorization-code', 'device-code'] });
    const request = { scope: 'openid files:read', resource: FILES };
    const expectBothTokens = (tokens: unknown) =>
      expect(tokens).to.include({ scope: 'files:read' }).and.have.property('id_token').that.is.a('string');
    const first = await redeem(request);
    expectBothTokens(first);
    const { json: refreshedTokens } = await refresh(first.refresh_token);
    expectBothTokens(refreshedTokens);
    running.clock.advance(60);
    await updateSecuritySettings(running, client, { dpopBoundAccessTokens: true });
    const refreshRequest = { grant_type: 'refresh_token', refresh_token: String(refreshedTokens?.['refresh_token']) };
    const key = keyPairFor('ES256');
    for (let times = 0; times < 2; times += 1) {
      const { json } = await tokenWithProof(running, client, refreshRequest, await signProof(running, key));
      expectBothTokens(json);
      expect(json).to.include({ refresh_token: refreshRequest.refresh_token });
    }
    await updateSecuritySettings(running, client, { dpopBoundAccessTokens: false });
    const codes = await requestCodes(running, client, request);
    await approveDevice(running, user, codes);
    running.clock.advance(5);
    const { json: deviceTokens } = await poll(running, client, codes);
    expectBothTokens(deviceTokens);
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings).to.deep.equal([]);
  });

  it('can be found in the log by the hash of its signing input', async () => {
    const { id_token } = await redeem();
    const [issuance] = await listEvents('IdTokenIssued');
    const signingInput = id_token.slice(0, id_token.lastIndexOf('.'));
    expect(issuance?.data.tokenHash).to.equal(createHash('sha256').update(signingInput).digest('base64url'));
    expect(issuance?.data.kid).to.equal(decodeProtectedHeader(id_token).kid);
  });
});

function isDeterministic(algorithm: SigningAlgorithm): boolean {
  return algorithm === 'RS256' || algorithm === 'EdDSA';
}
