import { englishMessages } from '../support/english-messages.ts';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { signProof, NONCE_PERIOD_SECONDS, tokenWithProof } from '../support/dpop.ts';
import { keyPairFor } from '../support/assertions.ts';
import { expectNothingAppended, expectRefusal } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
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
} from '../support/token-exchange.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const API = 'https://api.example';
const LIFETIME = 36_000;
const ID_TOKEN = { subject_token_type: TOKEN_TYPES.idToken };

describe('RFC 8693: token exchange with ID tokens from this server', () => {
  let running: RunningService;
  let web: TestClient;
  let api: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [API] } });
    web = await running.addClient({ name: 'Web' });
    api = await running.addClient({
      name: 'Api',
      grantTypes: ['token-exchange', 'client-credentials', 'authorization-code'],
      redirectUris: [REDIRECT_URI],
    });
    ada = await running.addUser('ada');
    await allowExchange(running, api, web);
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  interface Tokens {
    readonly id: string;
    readonly access: string;
    readonly refresh: string;
  }
  function readTokens({ status, json, text }: TestResponse): Tokens {
    expect(status, text).to.equal(200);
    return {
      id: String(json?.['id_token']),
      access: String(json?.['access_token']),
      refresh: String(json?.['refresh_token']),
    };
  }
  async function logIn(client = web, user = ada, parameters: Readonly<Record<string, string>> = {}): Promise<Tokens> {
    const code = await running.authorize(client, user, { scope: 'openid read write', ...parameters });
    const request = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    return readTokens(await running.token(client, request));
  }
  const refreshTokens = async (refresh: string, parameters: Readonly<Record<string, string>> = {}): Promise<Tokens> =>
    readTokens(await running.token(web, { grant_type: 'refresh_token', refresh_token: refresh, ...parameters }));

  async function expectRefused(
    send: () => Promise<TestResponse>,
    rule: string,
    seen = '',
    client = api,
  ): Promise<void> {
    const response = await expectNothingAppended(running, send);
    expectRefusal(response, 'invalid_request');
    const [explanation] = running.service().explanations.listByClient(client.id);
    expect(explanation?.rule).to.equal(rule);
    if (seen !== '') expect(englishMessages(explanation)['seen']).to.equal(seen);
  }

  it("accepts a grant's newest ID token until it expires, with the scope of the grant's access token", async () => {
    const { id } = await logIn(web, ada, { resource: API });
    running.clock.advance(100);
    const response = await exchange(running, api, id, ID_TOKEN);
    expect(response.json).to.include({ scope: 'read write', expires_in: LIFETIME - 100 });
    const token = expectAccessToken(response);
    expect(await introspect(running, api, token)).to.include({ client_id: api.id, username: 'ada', aud: API });
    const exchangedEvent = (await running.events()).findLast(({ type }) => type === 'TokenExchanged');
    expect(exchangedEvent?.data).to.have.nested.property('parent.tokenType', 'id_token');
    const { refresh } = await logIn();
    const narrowedTokens = await refreshTokens(refresh, { scope: 'openid read' });
    expect(
      await introspect(running, api, await exchangeForToken(running, api, narrowedTokens.id, ID_TOKEN)),
    ).to.include({
      scope: 'read',
    });
    await expectRefused(() => exchange(running, api, id, { ...ID_TOKEN, actor_token: id }), 'parameter-missing');
  });

  it('issues ID tokens with distinct ids that contain the grant id', async () => {
    const { id, refresh } = await logIn();
    const nextIdToken = (await refreshTokens(refresh)).id;
    const [firstId, nextId] = [decodeJwt(id).jti ?? '', decodeJwt(nextIdToken).jti ?? ''];
    const grantId = String((await running.events()).findLast(({ type }) => type === 'ConsentGiven')?.stream).slice(6);
    expect([firstId.split('.')[0], nextId.split('.')[0]]).to.deep.equal([grantId, grantId]);
    expect(firstId).to.not.equal(nextId);
  });

  it("invalidates the exchanged tokens when the ID token's grant is revoked", async () => {
    const { id, access } = await logIn();
    const token = await exchangeForToken(running, api, id, ID_TOKEN);
    await running.post('/o/revoke_token/', { token: access }, { authorization: web.basic });
    expect((await introspect(running, api, token))['active']).to.equal(false);
    await expectRefused(
      () => exchange(running, api, id, ID_TOKEN),
      'exchange-id-token',
      'one whose authorization has ended',
    );
  });

  it('accepts an ID token that was issued to the client itself as the actor token', async () => {
    const bert = await running.addUser('bert');
    const { id } = await logIn();
    const actorLogin = await logIn(api, bert, { scope: 'openid read' });
    const token = await exchangeForToken(running, api, id, {
      ...ID_TOKEN,
      actor: actorLogin.id,
      actor_token_type: TOKEN_TYPES.idToken,
    });
    const sub = running.service().projections.users.findByName('bert')?.userId;
    expect(await introspect(running, api, token)).to.deep.include({
      scope: 'read',
      act: { sub, client_id: api.id },
    });
    const webLogin = await logIn(web, bert);
    const otherActor = { ...ID_TOKEN, actor: webLogin.id, actor_token_type: TOKEN_TYPES.idToken };
    await expectRefused(() => exchange(running, api, id, otherActor), 'exchange-actor-of-another-client');
  });

  describe('refuses', () => {
    it('an earlier ID token of the grant', async () => {
      const { id, refresh } = await logIn();
      await refreshTokens(refresh);
      const reason = 'an earlier one that a refresh has replaced';
      await expectRefused(() => exchange(running, api, id, ID_TOKEN), 'exchange-id-token', reason);
    });

    it('an expired ID token', async () => {
      const { id } = await logIn(web, ada, { scope: 'openid read offline_access' });
      running.clock.advance(LIFETIME + 1);
      await expectRefused(() => exchange(running, api, id, ID_TOKEN), 'exchange-id-token', 'one that has expired');
    });

    it('an ID token with changed content or a different signature', async () => {
      const { id } = await logIn();
      const otherTokens = await logIn();
      const [header = '', , signature = ''] = id.split('.');
      const forgedToken = [header, otherTokens.id.split('.')[1], signature].join('.');
      for (const alteredToken of [forgedToken, `${header}.${id.split('.')[1]}.${otherTokens.id.split('.')[2]}`])
        await expectRefused(
          () => exchange(running, api, alteredToken, ID_TOKEN),
          'exchange-id-token',
          'one that could not be verified as an ID token of this server',
        );
    });

    it('an ID token that is declared as an access token, and vice versa', async () => {
      const jwtWeb = await running.addClient({ name: 'Jwt', accessTokenFormat: 'jwt' });
      await allowExchange(running, api, jwtWeb);
      const { id, access, refresh } = await logIn();
      await expectRefused(() => exchange(running, api, id), 'exchange-token-type');
      await expectRefused(() => exchange(running, api, access, ID_TOKEN), 'exchange-token-type');
      await expectRefused(() => exchange(running, api, refresh, ID_TOKEN), 'exchange-token-type');
      const jwt = (await logIn(jwtWeb)).access;
      await expectRefused(() => exchange(running, api, jwt, ID_TOKEN), 'exchange-token-type');
      const jwtType = { subject_token_type: TOKEN_TYPES.jwt };
      for (const serverToken of [id, jwt])
        await expectRefused(() => exchange(running, api, serverToken, jwtType), 'exchange-token-type');
    });

    it('an ID token from a client without a policy, and gives the reason only if the token is valid', async () => {
      const otherClient = await running.addClient({ name: 'Other' });
      const { id, refresh } = await logIn(otherClient);
      await expectRefused(() => exchange(running, api, id, ID_TOKEN), 'exchange-policy-missing');
      await running.token(otherClient, { grant_type: 'refresh_token', refresh_token: refresh });
      await expectRefused(() => exchange(running, api, id, ID_TOKEN), 'exchange-token-ended');
    });

    it('an ID token of a disabled user, and an actor token of the subject', async () => {
      const { id } = await logIn();
      const ownTokens = await logIn(api);
      const sameUser = { ...ID_TOKEN, actor: ownTokens.id, actor_token_type: TOKEN_TYPES.idToken };
      await expectRefused(() => exchange(running, api, id, sameUser), 'exchange-actor-is-subject');
      const { accounts, projections } = running.service();
      await accounts.disable(projections.users.findByName('ada') ?? expect.fail(), OPERATOR);
      await expectRefused(() => exchange(running, api, id, ID_TOKEN), 'exchange-id-token');
    });

    it('an ID token that was issued with a bound access token, if the request has no proof', async () => {
      const key = keyPairFor('ES256', 'key of web');
      running.clock.advance(NONCE_PERIOD_SECONDS);
      const code = await running.authorize(web, ada, { scope: 'openid read' });
      const request = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      const response = await tokenWithProof(running, web, request, await signProof(running, key));
      const { id } = readTokens(response);
      await expectRefused(() => exchange(running, api, id, ID_TOKEN), 'exchange-not-bound');
    });

    it("an access token that is declared as the actor's ID token", async () => {
      const { id } = await logIn();
      const actor = await ownToken(running, api);
      const parameters = { ...ID_TOKEN, actor, actor_token_type: TOKEN_TYPES.idToken };
      await expectRefused(() => exchange(running, api, id, parameters), 'exchange-token-type');
    });
  });
});
