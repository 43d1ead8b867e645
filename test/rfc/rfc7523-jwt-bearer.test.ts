import type { Socket } from 'node:net';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { audit } from '../../src/audit/rules/auditor.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { START } from '../../src/event-store/event-log.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import { keyPairFor, type ClientKeyPair } from '../support/assertions.ts';
import { startHostileServer, type HostileServer } from '../support/hostile-server.ts';
import { manualTimers, type ManualTimers } from '../support/manual-timers.ts';
import {
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { expectAccessToken, introspect } from '../support/token-exchange.ts';
import { signForeignToken, issuerKeys, OTHER_ISSUER, trustIssuer } from '../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const API = 'https://api.example/';
const GRANTS = { grantTypes: ['jwt-bearer'], redirectUris: [] } as const;

describe('RFC 7523 §2.1: the JWT bearer grant', () => {
  let running: RunningService;
  let app: TestClient;
  let user: TestUser;
  let api: TestClient;

  beforeEach(async () => {
    running = await runningService({
      settings: { resources: [API], outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] },
    });
    app = await running.addClient({ name: 'Deployer', ...GRANTS });
    api = await running.addClient({ name: 'API', restrictedScopes: ['introspection'] });
    user = await running.addUser();
  });
  afterEach(() => running.close());

  const redeem = (
    assertion: string,
    parameters: Readonly<Record<string, string>> = {},
    client: TestClient = app,
  ): Promise<TestResponse> => running.token(client, { grant_type: JWT_BEARER_GRANT_TYPE, assertion, ...parameters });
  const readError = ({ json }: TestResponse) => json?.['error'];
  const isActive = async (token: string) => (await introspect(running, api, token))['active'];
  function findRule(response: TestResponse): string | undefined {
    const id = response.headers.get('x-request-id') ?? '';
    return running.service().explanations.find(id)?.rule;
  }
  async function collectFindings(): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) items.push(item);
    return items;
  }

  describe('for a program', () => {
    it('issues the client a token without a user and without a refresh token, and records the assertion', async () => {
      await trustIssuer(running, app, { scope: ['read', 'write'], maxTokenLifetimeSeconds: 900 });
      const response = await redeem(await signForeignToken(running), { scope: 'read' });
      expect(response.json).to.deep.include({ token_type: 'Bearer', expires_in: 900, scope: 'read' });
      expect(response.json).to.not.have.property('refresh_token');
      expect(await introspect(running, api, expectAccessToken(response))).to.deep.include({
        active: true,
        client_id: app.id,
        sub: app.id,
        scope: 'read',
      });
      const [redemption, issuance] = (await running.events()).slice(-2);
      expect(redemption?.type).to.equal('AssertionRedeemed');
      expect(redemption?.data).to.deep.include({
        clientId: app.id,
        userId: null,
        use: 'assertion',
        issuer: OTHER_ISSUER,
        mapping: 'client',
        algorithm: 'ES256',
        scope: ['read'],
        requested: { scope: ['read'] },
      });
      expect(issuance?.data).to.deep.include({ userId: null, asserted: true });
      expect(JSON.stringify(await running.events())).to.not.include('job 7');
      expect(await collectFindings()).to.deep.equal([]);
    });

    it('authenticates the client by the assertion alone if its claims match a single client', async () => {
      const otherClient = await running.addClient({ name: 'Tester', ...GRANTS });
      await trustIssuer(running, app, {
        clients: [`${app.id} repository=acme/api`, `${otherClient.id} repository=acme/tests`],
      });
      const post = (assertion: string, extraParameters: Readonly<Record<string, string>> = {}) =>
        running.post('/o/token/', { grant_type: JWT_BEARER_GRANT_TYPE, assertion, ...extraParameters });
      const response = await post(await signForeignToken(running, { claims: { repository: 'acme/tests' } }));
      expect((await introspect(running, api, expectAccessToken(response)))['client_id']).to.equal(otherClient.id);
      const clientIdResponse = await post(await signForeignToken(running, { claims: { repository: 'acme/api' } }), {
        client_id: app.id,
      });
      expect(clientIdResponse.status).to.equal(200);
      for (const [claims, extraParameters] of [
        [{ repository: 'acme/other' }, {}],
        [{}, {}],
        [{ repository: 'acme/api' }, { client_id: otherClient.id }],
      ] as const)
        expect(readError(await post(await signForeignToken(running, { claims }), extraParameters))).to.match(
          /invalid_(client|request)/,
        );
      const forgery = await post(
        await signForeignToken(running, { claims: { repository: 'acme/api' }, keys: keyPairFor('ES256', 'forger') }),
      );
      expect(readError(forgery)).to.equal('invalid_grant');
    });

    it('does not authenticate a client by the assertion alone if its subject is a user', async () => {
      await trustIssuer(running, app, { mapping: 'user-name' });
      const assertion = await signForeignToken(running, { claims: { sub: user.username } });
      const response = await running.post('/o/token/', { grant_type: JWT_BEARER_GRANT_TYPE, assertion });
      expect(response.status).to.be.oneOf([400, 401]);
      expect((await redeem(assertion)).status).to.equal(200);
    });
  });

  describe('for a user', () => {
    it('finds the user by a claim that contains the user name', async () => {
      await trustIssuer(running, app, { mapping: 'user-name', nameClaim: '/account/name' });
      const response = await redeem(await signForeignToken(running, { claims: { account: { name: user.username } } }));
      expect((await introspect(running, api, expectAccessToken(response)))['username']).to.equal(user.username);
      const unknownUserResponse = await redeem(await signForeignToken(running, { claims: { sub: user.username } }));
      expect([readError(unknownUserResponse), findRule(unknownUserResponse)]).to.deep.equal([
        'invalid_grant',
        'issuer-subject',
      ]);
    });

    it('finds the user in a table of subjects', async () => {
      await trustIssuer(running, app, { mapping: 'table', users: [`248289761001=${user.username}`] });
      expect((await redeem(await signForeignToken(running, { claims: { sub: '248289761001' } }))).status).to.equal(200);
      expect((await redeem(await signForeignToken(running, { claims: { sub: user.username } }))).status).to.equal(400);
    });

    it('is refused for a disabled user, whose earlier tokens become invalid', async () => {
      await trustIssuer(running, app, { mapping: 'user-name' });
      const claims = { sub: user.username };
      const token = expectAccessToken(await redeem(await signForeignToken(running, { claims })));
      const { accounts, projections } = running.service();
      const account = projections.users.findByName(user.username) ?? expect.fail();
      await accounts.disable(account, OPERATOR);
      expect(await isActive(token)).to.equal(false);
      const response = await redeem(await signForeignToken(running, { claims }));
      expect(findRule(response)).to.equal('issuer-subject');
    });

    it("appears among the user's grants, and can be revoked", async () => {
      await trustIssuer(running, app, { mapping: 'user-name' });
      const token = expectAccessToken(
        await redeem(await signForeignToken(running, { claims: { sub: user.username } })),
      );
      const { projections } = running.service();
      const account = projections.users.findByName(user.username) ?? expect.fail();
      const now = Math.floor(running.clock.now() / 1000);
      const [grant] = projections.grants.listByUser(account.userId, now);
      expect(grant).to.deep.include({ clientId: app.id, scope: ['read'] });
      await running.post('/o/revoke_token/', { token }, { authorization: app.basic });
      expect(await isActive(token)).to.equal(false);
      expect(projections.grants.listByUser(account.userId, now)).to.deep.equal([]);
    });
  });

  describe('refuses', () => {
    for (const [title, changes, rule] of [
      ['a wrong typ', { header: { typ: 'logout+jwt' } }, 'issuer-token-type'],
      ['a typ that is not a string', { header: { typ: 5 } }, 'issuer-token-type'],
      ['a client assertion', { header: { typ: 'client-authentication+jwt' } }, 'issuer-token-type'],
      ['an access token', { header: { typ: 'at+jwt' } }, 'issuer-token-type'],
      ['an unknown critical header', { header: { crit: ['b64'], b64: true } }, 'issuer-token-malformed'],
      ['a wrong aud', { claims: { aud: 'https://other.example' } }, 'issuer-audience'],
      ['an aud list without this server', { claims: { aud: ['https://other.example', 'x'] } }, 'issuer-audience'],
      ['no aud', { claims: { aud: undefined } }, 'issuer-audience'],
      ['a wrong iss', { claims: { iss: 'https://other.example' } }, 'issuer-untrusted'],
      ['an iss that is not a string', { claims: { iss: 7 } }, 'issuer-token-malformed'],
      ['no exp', { claims: { exp: undefined } }, 'issuer-time'],
      ['an exp that is not a number', { claims: { exp: '9999999999' } }, 'issuer-time'],
      ['an exp in the past', { claims: { exp: 1 } }, 'issuer-time'],
      ['an exp in the far future', { claims: { exp: 9_999_999_999 } }, 'issuer-time'],
      ['an iat in the distant past', { claims: { iat: 1 } }, 'issuer-time'],
      ['an nbf in the future', { claims: { nbf: 9_999_999_999 } }, 'issuer-time'],
      ['no sub', { claims: { sub: undefined } }, 'issuer-token-malformed'],
      ['a sub of 513 characters', { claims: { sub: 'x'.repeat(513) } }, 'issuer-token-malformed'],
      ['a jti that is not a string', { claims: { jti: 7 } }, 'issuer-token-malformed'],
      ['a missing claim', { claims: { repository: undefined } }, 'issuer-claim'],
      ['a different claim value', { claims: { repository: 'acme/api2' } }, 'issuer-claim'],
      ['an array as a claim value', { claims: { repository: ['acme/api'] } }, 'issuer-claim'],
      ["another signer's key", { keys: keyPairFor('ES256', 'forger') }, 'issuer-key-unknown'],
    ] as const)
      it(title, async () => {
        await trustIssuer(running, app, { claims: ['repository=acme/api'] });
        const claims = { repository: 'acme/api', ...('claims' in changes ? changes.claims : {}) };
        const response = await redeem(await signForeignToken(running, { ...changes, claims }));
        expect([response.status, readError(response), findRule(response)]).to.deep.equal([400, 'invalid_grant', rule]);
      });

    it('a wrong signature, alg none, a shared secret and a string that is not a JWT', async () => {
      await trustIssuer(running, app);
      const validAssertion = await signForeignToken(running);
      const [header = '', payload = '', signature = ''] = validAssertion.split('.');
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const now = Math.floor(running.clock.now() / 1000);
      const secret = new TextEncoder().encode(JSON.stringify(issuerKeys().jwk));
      const claims = { iss: OTHER_ISSUER, sub: 'x', aud: 'http://localhost:8000', exp: now + 60 };
      for (const [assertion, rule] of [
        [`${header}.${encode({ ...claims, sub: 'other' })}.${signature}`, 'issuer-signature-wrong'],
        [`${encode({ alg: 'none' })}.${payload}.`, 'issuer-algorithm'],
        [await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret), 'issuer-algorithm'],
        ['no JWT', 'issuer-token-malformed'],
        ['a.b.c', 'issuer-token-malformed'],
      ] as const) {
        const response = await redeem(assertion);
        expect([readError(response), findRule(response)], assertion).to.deep.equal(['invalid_grant', rule]);
      }
      expect((await redeem(validAssertion)).status).to.equal(200);
    });

    it('an overlong assertion, and a request without an assertion', async () => {
      await trustIssuer(running, app);
      const response = await redeem('x'.repeat(8_193));
      expect([response.status, readError(response)]).to.deep.equal([400, 'invalid_grant']);
      expect(readError(await running.token(app, { grant_type: JWT_BEARER_GRANT_TYPE }))).to.equal('invalid_request');
    });

    it('a different client, a different use, and a client that is not registered for the grant type', async () => {
      const otherClient = await running.addClient({ name: 'Other', ...GRANTS });
      await trustIssuer(running, app, { uses: ['subject-token'] });
      expect(findRule(await redeem(await signForeignToken(running)))).to.equal('issuer-use');
      await trustIssuer(running, app);
      expect(findRule(await redeem(await signForeignToken(running), {}, otherClient))).to.equal('issuer-client');
      expect(readError(await redeem(await signForeignToken(running), {}, api))).to.equal('unauthorized_client');
    });

    it('authorization details, which no user has approved', async () => {
      await trustIssuer(running, app);
      const response = await redeem(await signForeignToken(running), { authorization_details: '[{"type":"pay"}]' });
      expect([readError(response), findRule(response)]).to.deep.equal([
        'invalid_authorization_details',
        'details-need-consent',
      ]);
    });

    it("scopes and resource servers that the issuer's settings or the assertion do not allow", async () => {
      await trustIssuer(running, app, { scope: ['read', 'write'], resources: [API] });
      const signLimitedToken = () => signForeignToken(running, { claims: { scope: 'read', resource: API } });
      const scopeResponse = await redeem(await signLimitedToken(), { scope: 'write' });
      expect([readError(scopeResponse), findRule(scopeResponse)]).to.deep.equal([
        'invalid_scope',
        'issuer-scope-beyond',
      ]);
      const resourceResponse = await redeem(await signForeignToken(running), { resource: 'http://localhost:8000' });
      expect([readError(resourceResponse), findRule(resourceResponse)]).to.deep.equal([
        'invalid_target',
        'issuer-resource-beyond',
      ]);
      const otherResource = await signForeignToken(running, { claims: { resource: 'https://elsewhere.example/' } });
      expect(findRule(await redeem(otherResource))).to.equal('issuer-no-resource-left');
      const otherScope = await signForeignToken(running, { claims: { scope: 'groups' } });
      expect(findRule(await redeem(otherScope))).to.equal('issuer-no-scope-left');
      expect((await redeem(await signLimitedToken())).json?.['scope']).to.equal('read');
    });
  });

  it('accepts an assertion only once, even in concurrent requests, but a refusal does not use it up', async () => {
    await trustIssuer(running, app);
    const assertion = await signForeignToken(running);
    expect(findRule(await redeem(assertion, { scope: 'write' }))).to.equal('issuer-scope-beyond');
    const responses = await Promise.all(Array.from({ length: 20 }, () => redeem(assertion)));
    const [success, ...refusals] = responses.toSorted((a, b) => a.status - b.status);
    expect(success?.status).to.equal(200);
    for (const response of refusals) expect(readError(response)).to.equal('invalid_grant');
    expect(findRule(refusals[0]!)).to.equal('issuer-token-replayed');
    await running.post('/o/revoke_token/', { token: expectAccessToken(success!) }, { authorization: app.basic });
    expect(findRule(await redeem(assertion))).to.equal('issuer-token-replayed');
    expect(await collectFindings()).to.deep.equal([]);
  });

  it('accepts an assertion only once, even after a restart', async () => {
    await trustIssuer(running, app);
    const assertion = await signForeignToken(running);
    expect((await redeem(assertion)).status).to.equal(200);
    await running.restart();
    expect(findRule(await redeem(assertion))).to.equal('issuer-token-replayed');
  });

  it('accepts an assertion without a jti only once, identified by its signing input', async () => {
    await trustIssuer(running, app);
    const assertion = await signForeignToken(running, { claims: { jti: undefined } });
    expect((await redeem(assertion)).status).to.equal(200);
    expect(findRule(await redeem(assertion))).to.equal('issuer-token-replayed');
  });

  it('invalidates its tokens when the issuer is no longer trusted, even if it is trusted again later', async () => {
    const record = await trustIssuer(running, app);
    const clientToken = expectAccessToken(await redeem(await signForeignToken(running)));
    await trustIssuer(running, app, { mapping: 'user-name' });
    const claims = { sub: user.username };
    const userToken = expectAccessToken(await redeem(await signForeignToken(running, { claims })));
    expect([await isActive(clientToken), await isActive(userToken)]).to.deep.equal([true, true]);
    const trustedIssuer = running.service().projections.trustedIssuers.find(record.issuer) ?? expect.fail();
    await running.service().trustedIssuerRegistry.remove(trustedIssuer, OPERATOR);
    expect([await isActive(clientToken), await isActive(userToken)]).to.deep.equal([false, false]);
    await trustIssuer(running, app);
    expect([await isActive(clientToken), await isActive(userToken)]).to.deep.equal([false, false]);
    expect((await redeem(await signForeignToken(running))).status).to.equal(200);
    expect(await collectFindings()).to.deep.equal([]);
  });

  it('invalidates its tokens when the client is removed', async () => {
    await trustIssuer(running, app);
    const token = expectAccessToken(await redeem(await signForeignToken(running)));
    await running.service().registration.remove(app.id as ClientId, OPERATOR);
    expect(await isActive(token)).to.equal(false);
  });

  describe('with keys that the issuer publishes', () => {
    let respond: (socket: Socket) => void;
    let server: HostileServer;
    let timers: ManualTimers;

    beforeEach(async () => {
      await running.close();
      timers = manualTimers();
      server = await startHostileServer((socket) => respond(socket));
      running = await runningService({
        settings: { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] },
        startTimer: timers.startTimer,
      });
      app = await running.addClient({ name: 'Deployer', ...GRANTS });
      await trustIssuer(running, app, { keysUri: `http://127.0.0.1:${server.port}/keys` });
    });
    afterEach(() => server.close());

    const serve = (...keys: readonly ClientKeyPair[]) => {
      const body = JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
      respond = (socket) =>
        void socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    };

    it('reads the key set again after a change, but at most once per minute', async () => {
      serve(issuerKeys());
      expect((await redeem(await signForeignToken(running))).status).to.equal(200);
      const nextKey = keyPairFor('ES256', 'next key of another issuer');
      serve(nextKey);
      expect(findRule(await redeem(await signForeignToken(running, { keys: nextKey })))).to.equal('issuer-key-unknown');
      running.clock.advance(61);
      expect((await redeem(await signForeignToken(running, { keys: nextKey }))).status).to.equal(200);
      expect(findRule(await redeem(await signForeignToken(running)))).to.equal('issuer-key-unknown');
      expect(server.requests).to.have.length(2);
    });

    it('responds after a timeout if the key set hangs, and serves other requests in the meantime', async () => {
      respond = () => {};
      const pendingResponse = redeem(await signForeignToken(running));
      await server.waitForRequests(1);
      const otherClient = await running.addClient({ grantTypes: ['client-credentials'] });
      expect((await running.token(otherClient, { grant_type: 'client_credentials' })).status).to.equal(200);
      timers.expire();
      const response = await pendingResponse;
      expect([readError(response), findRule(response)]).to.deep.equal(['invalid_grant', 'issuer-keys-unreadable']);
    });
  });
});
