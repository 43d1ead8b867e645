import { englishMessages } from '../support/english-messages.ts';
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { proofOf, SECONDS_AFTER_START, tokenWithProof } from '../support/dpop.ts';
import { keyPairFor } from '../support/assertions.ts';
import { expectNothingAppended, expectRefusal } from '../support/protocol-answers.ts';
import {
  REDIRECT_URI,
  runningService,
  type Answer,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import {
  accessTokenOf,
  allowExchange,
  exchange,
  exchanged,
  introspected,
  ownToken,
} from '../support/token-exchange.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const API = 'https://api.example';
const LIFETIME = 36_000;
const ID_TOKEN = { subject_token_type: TOKEN_TYPES.idToken };

describe('RFC 8693: token exchange with ID tokens of this server', () => {
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
    const found: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) found.push(item);
    expect(found, 'an audit').to.deep.equal([]);
    await running.close();
  });

  interface Tokens {
    readonly id: string;
    readonly access: string;
    readonly refresh: string;
  }
  function tokensIn({ status, json, text }: Answer): Tokens {
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
    return tokensIn(await running.token(client, request));
  }
  const refreshed = async (refresh: string, parameters: Readonly<Record<string, string>> = {}): Promise<Tokens> =>
    tokensIn(await running.token(web, { grant_type: 'refresh_token', refresh_token: refresh, ...parameters }));

  async function refused(send: () => Promise<Answer>, rule: string, seen = '', client = api): Promise<void> {
    const answer = await expectNothingAppended(running, send);
    expectRefusal(answer, 'invalid_request');
    const [newest] = running.service().explanations.ofClient(client.id);
    expect(newest?.rule).to.equal(rule);
    if (seen !== '') expect(englishMessages(newest)['seen']).to.equal(seen);
  }

  it('accepts the newest ID token of a grant until it expires, for the scope of its access token', async () => {
    const { id } = await logIn(web, ada, { resource: API });
    running.clock.advance(100);
    const answer = await exchange(running, api, id, ID_TOKEN);
    expect(answer.json).to.include({ scope: 'read write', expires_in: LIFETIME - 100 });
    const token = accessTokenOf(answer);
    expect(await introspected(running, api, token)).to.include({ client_id: api.id, username: 'ada', aud: API });
    const exchangedEvent = (await running.events()).findLast(({ type }) => type === 'TokenExchanged');
    expect(exchangedEvent?.data).to.have.nested.property('parent.tokenType', 'id_token');
    const { refresh } = await logIn();
    const narrower = await refreshed(refresh, { scope: 'openid read' });
    expect(await introspected(running, api, await exchanged(running, api, narrower.id, ID_TOKEN))).to.include({
      scope: 'read',
    });
    await refused(() => exchange(running, api, id, { ...ID_TOKEN, actor_token: id }), 'parameter-missing');
  });

  it('issues each with a different id, which names its grant', async () => {
    const { id, refresh } = await logIn();
    const next = (await refreshed(refresh)).id;
    const [one, other] = [decodeJwt(id).jti ?? '', decodeJwt(next).jti ?? ''];
    const grantId = String((await running.events()).findLast(({ type }) => type === 'ConsentGiven')?.stream).slice(6);
    expect([one.split('.')[0], other.split('.')[0]]).to.deep.equal([grantId, grantId]);
    expect(one).to.not.equal(other);
  });

  it('ends the exchanged tokens together with the grant of the ID token', async () => {
    const { id, access } = await logIn();
    const token = await exchanged(running, api, id, ID_TOKEN);
    await running.post('/o/revoke_token/', { token: access }, { authorization: web.basic });
    expect((await introspected(running, api, token))['active']).to.equal(false);
    await refused(() => exchange(running, api, id, ID_TOKEN), 'exchange-id-token', 'one whose authorization has ended');
  });

  it('accepts one that was issued to the client itself as the actor token', async () => {
    const bert = await running.addUser('bert');
    const { id } = await logIn();
    const acting = await logIn(api, bert, { scope: 'openid read' });
    const token = await exchanged(running, api, id, {
      ...ID_TOKEN,
      actor: acting.id,
      actor_token_type: TOKEN_TYPES.idToken,
    });
    const sub = running.service().projections.users.findByName('bert')?.userId;
    expect(await introspected(running, api, token)).to.deep.include({
      scope: 'read',
      act: { sub, client_id: api.id },
    });
    const ofWeb = await logIn(web, bert);
    const other = { ...ID_TOKEN, actor: ofWeb.id, actor_token_type: TOKEN_TYPES.idToken };
    await refused(() => exchange(running, api, id, other), 'exchange-actor-of-another-client');
  });

  describe('refuses', () => {
    it('an earlier one of the grant, with a response that says no more than for any other', async () => {
      const { id, refresh } = await logIn();
      await refreshed(refresh);
      const earlier = 'an earlier one: a refresh has issued another';
      await refused(() => exchange(running, api, id, ID_TOKEN), 'exchange-id-token', earlier);
    });

    it('one that has expired', async () => {
      const { id } = await logIn(web, ada, { scope: 'openid read offline_access' });
      running.clock.advance(LIFETIME + 1);
      await refused(() => exchange(running, api, id, ID_TOKEN), 'exchange-id-token', 'one that has expired');
    });

    it('one with changed content or another signature', async () => {
      const { id } = await logIn();
      const other = await logIn();
      const [header = '', , signature = ''] = id.split('.');
      const forged = [header, other.id.split('.')[1], signature].join('.');
      for (const changed of [forged, `${header}.${id.split('.')[1]}.${other.id.split('.')[2]}`])
        await refused(
          () => exchange(running, api, changed, ID_TOKEN),
          'exchange-id-token',
          'one whose signature or content is not of this server',
        );
    });

    it('an ID token that is declared as an access token, and the reverse', async () => {
      const jwtWeb = await running.addClient({ name: 'Jwt', accessTokenFormat: 'jwt' });
      await allowExchange(running, api, jwtWeb);
      const { id, access, refresh } = await logIn();
      await refused(() => exchange(running, api, id), 'exchange-token-type');
      await refused(() => exchange(running, api, access, ID_TOKEN), 'exchange-token-type');
      await refused(() => exchange(running, api, refresh, ID_TOKEN), 'exchange-token-type');
      const jwt = (await logIn(jwtWeb)).access;
      await refused(() => exchange(running, api, jwt, ID_TOKEN), 'exchange-token-type');
      const asJwt = { subject_token_type: TOKEN_TYPES.jwt };
      for (const own of [id, jwt]) await refused(() => exchange(running, api, own, asJwt), 'exchange-token-type');
    });

    it('one of a client without a policy, with the reason only if there is one', async () => {
      const other = await running.addClient({ name: 'Other' });
      const { id, refresh } = await logIn(other);
      await refused(() => exchange(running, api, id, ID_TOKEN), 'exchange-policy-missing');
      await running.token(other, { grant_type: 'refresh_token', refresh_token: refresh });
      await refused(() => exchange(running, api, id, ID_TOKEN), 'exchange-token-ended');
    });

    it('one of a user who was disabled, and one as the actor who is the subject', async () => {
      const { id } = await logIn();
      const own = await logIn(api);
      const same = { ...ID_TOKEN, actor: own.id, actor_token_type: TOKEN_TYPES.idToken };
      await refused(() => exchange(running, api, id, same), 'exchange-actor-is-subject');
      const { accounts, projections } = running.service();
      await accounts.disable(projections.users.findByName('ada') ?? expect.fail(), OPERATOR);
      await refused(() => exchange(running, api, id, ID_TOKEN), 'exchange-id-token');
    });

    it('one beside a bound access token without a proof, because it would become a bearer token', async () => {
      const key = keyPairFor('ES256', 'key of web');
      running.clock.advance(SECONDS_AFTER_START);
      const code = await running.authorize(web, ada, { scope: 'openid read' });
      const request = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      const answer = await tokenWithProof(running, web, request, await proofOf(running, key));
      const { id } = tokensIn(answer);
      await refused(() => exchange(running, api, id, ID_TOKEN), 'exchange-not-bound');
    });

    it('an access token of the client without a user as the ID token of its actor', async () => {
      const { id } = await logIn();
      const actor = await ownToken(running, api);
      const wrong = { ...ID_TOKEN, actor, actor_token_type: TOKEN_TYPES.idToken };
      await refused(() => exchange(running, api, id, wrong), 'exchange-token-type');
    });
  });
});
