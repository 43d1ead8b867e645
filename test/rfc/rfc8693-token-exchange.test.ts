import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { TOKEN_EXCHANGE_GRANT_TYPE } from '../../src/oauth/grant-types/token-exchange.ts';
import { keyPairFor } from '../support/assertions.ts';
import { signProof, NONCE_PERIOD_SECONDS, thumbprintOf, tokenWithProof } from '../support/dpop.ts';
import { expectNothingAppended, expectRefusal, isAccepted } from '../support/protocol-responses.ts';
import { FILES, registerResource } from '../support/resource-servers.ts';
import {
  runningService,
  type TestResponse,
  type ClientOptions,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import {
  expectAccessToken,
  allowExchange,
  exchange,
  exchangeForToken,
  introspect,
  ownToken,
  userTokens,
} from '../support/token-exchange.ts';

const API = 'https://api.example';
const LIFETIME = 36_000;

describe('RFC 8693 (token exchange)', () => {
  let running: RunningService;
  let web: TestClient;
  let api: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [API] } });
    web = await running.addClient({ name: 'Web' });
    api = await addExchanger('Api');
    ada = await running.addUser('ada');
    await allowExchange(running, api, web);
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const addExchanger = (name: string, options: Partial<ClientOptions> = {}): Promise<TestClient> =>
    running.addClient({ name, grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [], ...options });
  const issueSubjectToken = async (parameters: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await userTokens(running, web, ada, { scope: 'read write', ...parameters })).access;
  const userId = (): string => running.service().projections.users.findByName('ada')?.userId ?? expect.fail();
  const listRefusalRules = (client = api) =>
    running
      .service()
      .explanations.listByClient(client.id)
      .map(({ rule }) => rule);
  const readClaims = (jwt: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

  /** Expects a refusal that adds no event, and an explanation with the rule. */
  async function expectRefused(
    send: () => Promise<TestResponse>,
    error: string,
    rule: string,
    client = api,
  ): Promise<void> {
    expectRefusal(await expectNothingAppended(running, send), error);
    expect(listRefusalRules(client)).to.include(rule);
  }

  describe('§2.2.1: the response', () => {
    it('contains an access token that is issued to the client for the subject, but no refresh token', async () => {
      const response = await exchange(running, api, await issueSubjectToken());
      expect(response.status, response.text).to.equal(200);
      expect(response.headers.get('cache-control')).to.equal('no-store');
      const { access_token: token, ...members } = response.json ?? {};
      expect(members).to.deep.equal({
        expires_in: LIFETIME,
        token_type: 'Bearer',
        scope: 'read write',
        issued_token_type: TOKEN_TYPES.accessToken,
      });
      expect(await isAccepted(running, String(token))).to.equal(true);
      expect(await introspect(running, api, String(token))).to.include({
        active: true,
        client_id: api.id,
        sub: userId(),
        username: 'ada',
        scope: 'read write',
        exp: Math.floor(running.clock.now() / 1000) + LIFETIME,
      });
    });

    it('is recorded in a new grant with hashes of both tokens', async () => {
      const subject = await issueSubjectToken();
      const token = await exchangeForToken(running, api, subject);
      const events = await running.events();
      expect(events.slice(-2).map(({ type }) => type)).to.deep.equal(['TokenExchanged', 'AccessTokenIssued']);
      expect(events.at(-1)?.stream).to.equal(events.at(-2)?.stream);
      expect(JSON.stringify(events)).to.not.include(subject);
      expect(JSON.stringify(events)).to.not.include(token);
    });

    it("contains a JWT if that is the client's format; otherwise, a request for a JWT is refused", async () => {
      const subject = await issueSubjectToken();
      const format = { requested_token_type: TOKEN_TYPES.jwt };
      await expectRefused(() => exchange(running, api, subject, format), 'invalid_request', 'exchange-format');
      const jwtApi = await addExchanger('Jwt', { accessTokenFormat: 'jwt' });
      await allowExchange(running, jwtApi, web);
      const response = await exchange(running, jwtApi, subject, format);
      expect(response.json).to.include({ issued_token_type: TOKEN_TYPES.jwt });
      expect(readClaims(expectAccessToken(response))).to.deep.include({
        sub: userId(),
        client_id: jwtApi.id,
        scope: 'read write',
      });
      expect(readClaims(expectAccessToken(response))).to.not.have.property('act');
    });

    it('contains a token without a user if the subject token has no user', async () => {
      const token = await exchangeForToken(running, api, await ownToken(running, web));
      expect(await introspect(running, api, token)).to.include({ sub: web.id, client_id: api.id });
      expect(await introspect(running, api, token)).to.not.have.property('username');
    });
  });

  describe('§4.1: the act claim', () => {
    it('identifies the actor and the earlier actors', async () => {
      const mid = await addExchanger('Mid', { accessTokenFormat: 'jwt' });
      await allowExchange(running, mid, api);
      const first = await exchangeForToken(running, api, await issueSubjectToken(), {
        actor: await ownToken(running, api),
      });
      expect(await introspect(running, api, first)).to.deep.include({ sub: userId(), act: { sub: api.id } });
      const second = await exchangeForToken(running, mid, first, { actor: await ownToken(running, mid) });
      const act = { sub: mid.id, act: { sub: api.id } };
      expect(await introspect(running, mid, second)).to.deep.include({ sub: userId(), client_id: mid.id, act });
      expect(readClaims(second)).to.deep.include({ sub: userId(), client_id: mid.id, act });
    });

    it('is kept when a later client impersonates the subject', async () => {
      const mid = await addExchanger('Mid');
      await allowExchange(running, mid, api, { modes: ['impersonation'] });
      const first = await exchangeForToken(running, api, await issueSubjectToken(), {
        actor: await ownToken(running, api),
      });
      const second = await exchangeForToken(running, mid, first);
      expect(await introspect(running, mid, second)).to.deep.include({ act: { sub: api.id } });
    });

    it('identifies a user together with the client that the user acts through', async () => {
      const helpdesk = await addExchanger('Helpdesk', { grantTypes: ['token-exchange', 'password'] });
      await allowExchange(running, helpdesk, web);
      const bert = await running.addUser('bert');
      const { access: actor } = await userTokens(running, helpdesk, bert, { scope: 'read' });
      const token = await exchangeForToken(running, helpdesk, await issueSubjectToken(), { actor });
      const sub = running.service().projections.users.findByName('bert')?.userId;
      expect(await introspect(running, helpdesk, token)).to.deep.include({
        sub: userId(),
        scope: 'read',
        act: { sub, client_id: helpdesk.id },
      });
    });
  });

  describe('§2.1: the scope and the audience', () => {
    it('are limited by the subject token and by the request', async () => {
      const subject = await issueSubjectToken({ resource: API });
      const token = await exchangeForToken(running, api, subject, { scope: 'read' });
      expect(await introspect(running, api, token)).to.include({ scope: 'read', aud: API });
      await expectRefused(
        () => exchange(running, api, subject, { scope: 'read groups' }),
        'invalid_scope',
        'exchange-scope-beyond',
      );
      await expectRefused(
        () => exchange(running, api, subject, { audience: 'http://localhost:8000' }),
        'invalid_target',
        'exchange-resource-beyond',
      );
    });

    it('limit a token for all resource servers to those in the resource and audience parameters', async () => {
      await registerResource(running, { scopes: [] });
      const subject = await issueSubjectToken();
      const narrowedToken = await exchangeForToken(running, api, subject, { audience: API });
      expect(await introspect(running, api, narrowedToken)).to.include({ aud: API });
      const tokenForBoth = await exchangeForToken(running, api, subject, { audience: API, resource: FILES });
      expect((await introspect(running, api, tokenForBoth))['aud']).to.have.members([API, FILES]);
      expect(await isAccepted(running, tokenForBoth)).to.equal(false);
      await expectRefused(
        () => exchange(running, api, subject, { audience: 'https://nowhere.example' }),
        'invalid_target',
        'resource-unknown',
      );
    });

    it('can include several audiences, but other parameters must not be repeated', async () => {
      await registerResource(running, { scopes: [] });
      const subject = await issueSubjectToken();
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: subject,
        subject_token_type: TOKEN_TYPES.accessToken,
        audience: API,
      });
      form.append('audience', FILES);
      const response = await running.post('/o/token/', form.toString(), { authorization: api.basic });
      expect((await introspect(running, api, expectAccessToken(response)))['aud']).to.have.members([API, FILES]);
      form.append('subject_token', subject);
      expectRefusal(await running.post('/o/token/', form.toString(), { authorization: api.basic }), 'invalid_request');
    });

    it('are within the exchange policy', async () => {
      const subject = await issueSubjectToken();
      await allowExchange(running, api, web, { scope: ['read'], resources: [API] });
      const token = await exchangeForToken(running, api, subject);
      expect(await introspect(running, api, token)).to.include({ scope: 'read', aud: API });
      await expectRefused(
        () => exchange(running, api, subject, { scope: 'write' }),
        'invalid_scope',
        'exchange-scope-beyond',
      );
    });

    it("are limited to the resource servers' scopes and lifetime", async () => {
      await registerResource(running, {
        scopes: [{ name: 'read', description: 'Read' }],
        accessTokenLifetimeSeconds: 300,
        accessTokenFormat: 'jwt',
      });
      const response = await exchange(running, api, await issueSubjectToken(), { resource: FILES });
      expect(response.json).to.include({ scope: 'read', expires_in: 300 });
      expect(readClaims(expectAccessToken(response))).to.include({ aud: FILES });
      const writeToken = await ownToken(running, web, { scope: 'write' });
      const target = { resource: FILES };
      await expectRefused(() => exchange(running, api, writeToken, target), 'invalid_scope', 'scope-not-of-resource');
    });

    it('lack restricted scopes', async () => {
      const auditor = await running.addClient({ name: 'Auditing', restrictedScopes: ['audit'] });
      await allowExchange(running, api, auditor);
      const subject = await ownToken(running, auditor, { scope: 'read audit' });
      expect(await introspect(running, api, await exchangeForToken(running, api, subject))).to.include({
        scope: 'read',
      });
      await expectRefused(
        () => exchange(running, api, subject, { scope: 'audit' }),
        'invalid_scope',
        'exchange-scope-beyond',
      );
    });
  });

  describe('§2.2.1: the lifetime of the new token', () => {
    it('ends when the subject token or the actor token expires, whichever is earlier', async () => {
      const subject = await issueSubjectToken();
      running.clock.advance(600);
      const actor = await ownToken(running, api);
      running.clock.advance(60);
      const { json } = await exchange(running, api, subject, { actor });
      expect(json).to.include({ expires_in: LIFETIME - 660 });
      const token = expectAccessToken(await exchange(running, api, subject));
      running.clock.advance(LIFETIME - 661);
      expect(await isAccepted(running, token)).to.equal(true);
      running.clock.advance(1);
      expect(await isAccepted(running, token)).to.equal(false);
    });
  });

  describe('§2.2.2: a request is refused', () => {
    it('without a policy for the two clients, or for the mode', async () => {
      const otherClient = await running.addClient({ name: 'Other' });
      const { access } = await userTokens(running, otherClient, ada);
      await expectRefused(() => exchange(running, api, access), 'invalid_request', 'exchange-policy-missing');
      const [subject, actor] = [await issueSubjectToken(), await ownToken(running, api)];
      await allowExchange(running, api, web, { modes: ['delegation'] });
      await expectRefused(() => exchange(running, api, subject), 'invalid_request', 'exchange-mode-not-allowed');
      await allowExchange(running, api, web, { modes: ['impersonation'] });
      await expectRefused(
        () => exchange(running, api, subject, { actor }),
        'invalid_request',
        'exchange-mode-not-allowed',
      );
    });

    it('after the policy has been removed, without invalidating earlier tokens', async () => {
      const subject = await issueSubjectToken();
      const token = await exchangeForToken(running, api, subject);
      const { exchangePolicyRegistry, projections } = running.service();
      const policy = projections.exchangePolicies.find(api.id, web.id) ?? expect.fail();
      await exchangePolicyRegistry.remove(policy, { actor: { kind: 'operator' }, requestId: null });
      await expectRefused(() => exchange(running, api, subject), 'invalid_request', 'exchange-policy-missing');
      expect(await isAccepted(running, token)).to.equal(true);
    });

    it('for clients without the grant type', async () => {
      const plainClient = await running.addClient({ name: 'Plain' });
      await allowExchange(running, plainClient, web);
      const subject = await issueSubjectToken();
      await expectRefused(
        () => exchange(running, plainClient, subject),
        'unauthorized_client',
        'client-not-registered-for',
        plainClient,
      );
    });

    it('without the subject token or its type, and for types that cannot be exchanged', async () => {
      const subject = await issueSubjectToken();
      const parameters = { subject_token: '' };
      await expectRefused(() => exchange(running, api, subject, parameters), 'invalid_request', 'parameter-missing');
      await expectRefused(
        () => exchange(running, api, subject, { subject_token_type: '' }),
        'invalid_request',
        'parameter-missing',
      );
      for (const type of ['subject_token_type', 'requested_token_type'])
        await expectRefused(
          () => exchange(running, api, subject, { [type]: 'urn:ietf:params:oauth:token-type:saml2' }),
          'invalid_request',
          'parameter-value',
        );
      await expectRefused(
        () => exchange(running, api, subject, { actor_token_type: TOKEN_TYPES.accessToken }),
        'invalid_request',
        'exchange-type-alone',
      );
      await expectRefused(
        () => exchange(running, api, subject, { actor_token: subject }),
        'invalid_request',
        'parameter-missing',
      );
    });

    it('for a refresh token and an ID token that are declared as access tokens', async () => {
      const { refresh } = await userTokens(running, web, ada);
      await expectRefused(() => exchange(running, api, refresh), 'invalid_request', 'exchange-token-type');
      const code = await running.authorize(web, ada, { scope: 'openid read' });
      const parameters = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/callback' };
      const { json } = await running.token(web, parameters);
      const idToken = String(json?.['id_token']);
      await expectRefused(() => exchange(running, api, idToken), 'invalid_request', 'exchange-token-type');
    });

    it('for a token that is unknown, expired or revoked, with a different explanation for each', async () => {
      const unknownToken = `gla_${'x'.repeat(49)}`;
      await expectRefused(() => exchange(running, api, unknownToken), 'invalid_request', 'token-unknown');
      const subject = await issueSubjectToken();
      await running.post('/o/revoke_token/', { token: subject }, { authorization: web.basic });
      await expectRefused(() => exchange(running, api, subject), 'invalid_request', 'grant-revoked');
      const [expiredToken, actor] = [await issueSubjectToken(), await ownToken(running, api)];
      running.clock.advance(LIFETIME + 5);
      await expectRefused(() => exchange(running, api, expiredToken), 'invalid_request', 'token-expired');
      const laterToken = await issueSubjectToken();
      await expectRefused(() => exchange(running, api, laterToken, { actor }), 'invalid_request', 'token-expired');
    });

    it('for an actor token that belongs to another client, to an exchange, or to the subject', async () => {
      const subject = await issueSubjectToken();
      const webToken = await ownToken(running, web);
      await expectRefused(
        () => exchange(running, api, subject, { actor: webToken }),
        'invalid_request',
        'exchange-actor-of-another-client',
      );
      const exchangedToken = await exchangeForToken(running, api, webToken);
      await expectRefused(
        () => exchange(running, api, subject, { actor: exchangedToken }),
        'invalid_request',
        'exchange-actor-exchanged',
      );
      await allowExchange(running, api, api);
      const ownAccessToken = await ownToken(running, api);
      await expectRefused(
        () => exchange(running, api, ownAccessToken, { actor: ownAccessToken }),
        'invalid_request',
        'exchange-actor-is-subject',
      );
    });

    it('for a client that is already in the chain, and for a fifth exchange', async () => {
      const names = ['One', 'Two', 'Three', 'Four'];
      const clients: TestClient[] = [];
      for (const name of names) clients.push(await addExchanger(name));
      let previous = api;
      for (const client of clients) {
        await allowExchange(running, client, previous);
        previous = client;
      }
      await allowExchange(running, api, clients[0] ?? web);
      let token = await exchangeForToken(running, api, await issueSubjectToken());
      const [first, ...laterClients] = clients;
      token = await exchangeForToken(running, first ?? api, token);
      await expectRefused(() => exchange(running, api, token), 'invalid_request', 'exchange-client-repeated');
      for (const client of laterClients.slice(0, 2)) token = await exchangeForToken(running, client, token);
      const [last] = clients.slice(-1);
      await expectRefused(
        () => exchange(running, last ?? api, token),
        'invalid_request',
        'exchange-chain-too-deep',
        last,
      );
      expect(await isAccepted(running, token)).to.equal(true);
    });

    it('for a policy whose resource servers have all been removed, but not if some still exist', async () => {
      const [removedUri, existingUri] = ['https://gone.example', 'https://left.example'] as const;
      const resourceFields = { scopes: [{ name: 'read', description: 'Read' }], accessTokenLifetimeSeconds: 300 };
      for (const uri of [removedUri, existingUri]) await registerResource(running, { uri, ...resourceFields });
      const jwtClient = await addExchanger('Jwt', { accessTokenFormat: 'jwt' });
      await allowExchange(running, jwtClient, web, { resources: [removedUri, existingUri] });
      const { resourceRegistry } = running.service();
      const operator = { actor: { kind: 'operator' }, requestId: null } as const;
      await resourceRegistry.remove(removedUri, operator);
      const response = await exchange(running, jwtClient, await issueSubjectToken());
      expect(response.json).to.include({ scope: 'read', expires_in: 300 });
      expect(readClaims(expectAccessToken(response))).to.include({ aud: existingUri });
      await resourceRegistry.remove(existingUri, operator);
      const subject = await issueSubjectToken();
      await expectRefused(
        () => exchange(running, jwtClient, subject),
        'invalid_target',
        'exchange-no-resource-left',
        jwtClient,
      );
    });

    it('for a bound token without a proof, whereas a proof binds the new token to its key', async () => {
      running.clock.advance(NONCE_PERIOD_SECONDS);
      const { username, password } = ada;
      const proof = () => signProof(running, keyPairFor('ES256'));
      const parameters = { grant_type: 'password', username, password, scope: 'read' };
      const subject = expectAccessToken(await tokenWithProof(running, web, parameters, await proof()));
      await expectRefused(() => exchange(running, api, subject), 'invalid_request', 'exchange-not-bound');
      const clientKey = keyPairFor('ES256', 'of the exchanging client');
      const body = {
        grant_type: TOKEN_EXCHANGE_GRANT_TYPE,
        subject_token: subject,
        subject_token_type: TOKEN_TYPES.accessToken,
      };
      const boundResponse = await tokenWithProof(running, api, body, await signProof(running, clientKey));
      expect(boundResponse.json, boundResponse.text).to.include({ token_type: 'DPoP' });
      const { cnf } = await introspect(running, api, expectAccessToken(boundResponse));
      expect(cnf).to.deep.equal({ jkt: await thumbprintOf(clientKey) });
    });

    it('for a client that requires a second factor, unless the token has no user', async () => {
      const strictClient = await addExchanger('Strict', { secondFactorRequired: true });
      await allowExchange(running, strictClient, web);
      const subject = await issueSubjectToken();
      await expectRefused(
        () => exchange(running, strictClient, subject),
        'invalid_request',
        'exchange-second-factor',
        strictClient,
      );
      expect(
        await isAccepted(running, await exchangeForToken(running, strictClient, await ownToken(running, web))),
      ).to.equal(true);
    });

    it("with an explanation that gives the token's state only to clients that may exchange it", async () => {
      const { access } = await userTokens(running, web, ada);
      await running.post('/o/revoke_token/', { token: access }, { authorization: web.basic });
      const unrelatedClient = await addExchanger('Stranger');
      await expectRefused(
        () => exchange(running, unrelatedClient, access),
        'invalid_request',
        'exchange-token-ended',
        unrelatedClient,
      );
      await expectRefused(() => exchange(running, api, access), 'invalid_request', 'grant-revoked');
    });

    it('for a user who may not use the client in test mode', async () => {
      const { registration, projections } = running.service();
      const registeredClient = projections.clients.find(api.id) ?? expect.fail();
      const subject = await issueSubjectToken();
      await registration.update(
        registeredClient.clientId,
        { ...registeredClient, mode: 'test' },
        { actor: { kind: 'operator' }, requestId: null },
      );
      await expectRefused(() => exchange(running, api, subject), 'unauthorized_client', 'client-in-test-mode');
    });
  });
});
