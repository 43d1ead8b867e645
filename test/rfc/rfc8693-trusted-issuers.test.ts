import { expect } from 'chai';
import { SignJWT } from 'jose';
import { audit } from '../../src/audit/rules/auditor.ts';
import type { ClientId } from '../../src/domain/values.ts';
import { START } from '../../src/event-store/event-log.ts';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import type { TrustedIssuerFields } from '../../src/oauth/issuers/issuer-rules.ts';
import { ID_JAG_TYPE } from '../../src/oauth/issuers/foreign-tokens.ts';
import { signAssertion, keyPairFor } from '../support/assertions.ts';
import { signProof, NONCE_PERIOD_SECONDS, tokenWithProof } from '../support/dpop.ts';
import { expectNothingAppended, expectRefusal } from '../support/protocol-responses.ts';
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
import { signForeignToken, issuerKeys, OTHER_ISSUER, trustIssuer } from '../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const API = 'https://api.example/';
const FILES = 'https://files.example/';
const JWT = { subject_token_type: TOKEN_TYPES.jwt };
const TOKEN_USES = ['subject-token', 'actor-token'];
const ACTOR_ISSUER = 'https://workload.example';
const actorKeys = () => keyPairFor('ES256', 'key of the issuer of actors');

describe('RFC 8693, with JWTs from trusted issuers:', () => {
  let running: RunningService;
  let web: TestClient;
  let api: TestClient;
  let ada: TestUser;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [API, FILES] } });
    web = await running.addClient({ name: 'Web' });
    api = await addExchanger('Api');
    ada = await running.addUser('ada');
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const addExchanger = (name: string, options: Partial<ClientOptions> = {}): Promise<TestClient> =>
    running.addClient({ name, grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [], ...options });
  /** Trusts the issuer of subject tokens, whose subjects are user names. */
  const trust = (fields: Partial<TrustedIssuerFields> = {}, client = api) =>
    trustIssuer(running, client, { uses: TOKEN_USES, mapping: 'user-name', scope: ['read', 'write'], ...fields });
  const issueSubjectJwt = (claims: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    signForeignToken(running, { claims: { sub: 'ada', ...claims } });
  /** Trusts a second issuer, which issues actor tokens to programs that act as the client. */
  async function trustActors(fields: Partial<TrustedIssuerFields> = {}): Promise<void> {
    const { readClientKeys } = await import('../../src/oauth/clients/client-keys.ts');
    const clientKeys = await readClientKeys({ keys: [actorKeys().jwk] });
    if ('problem' in clientKeys) throw new Error(clientKeys.problem.key);
    const settings = { uses: ['actor-token'], keys: clientKeys.keys, scope: ['read', 'write'], ...fields };
    await trustIssuer(running, api, settings, ACTOR_ISSUER);
  }
  const issueActorToken = (claims: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    signForeignToken(running, { claims: { iss: ACTOR_ISSUER, sub: 'pod 1', ...claims }, keys: actorKeys() });
  const isActive = async (token: string): Promise<unknown> => (await introspect(running, api, token))['active'];
  const account = (name = 'ada') => running.service().projections.users.findByName(name) ?? expect.fail();
  const distrust = async (issuer: string): Promise<void> => {
    const { projections, trustedIssuerRegistry } = running.service();
    await trustedIssuerRegistry.remove(projections.trustedIssuers.find(issuer) ?? expect.fail(), OPERATOR);
  };

  async function expectRefused(
    send: () => Promise<TestResponse>,
    rule: string,
    error = 'invalid_request',
    client = api,
  ) {
    expectRefusal(await expectNothingAppended(running, send), error);
    expect(running.service().explanations.listByClient(client.id)[0]?.rule).to.equal(rule);
  }

  describe('a subject token', () => {
    it('is exchanged for a token for the user, and the issuer is recorded with hashes', async () => {
      await trust();
      const subject = await issueSubjectJwt();
      const response = await exchange(running, api, subject, JWT);
      expect(response.json, response.text).to.include({ scope: 'read write', expires_in: 60 });
      const token = expectAccessToken(response);
      expect(await introspect(running, api, token)).to.include({ client_id: api.id, username: 'ada', active: true });
      const [event] = (await running.events()).slice(-2);
      expect(event?.data).to.deep.include({ depth: 1, chain: [], userId: account().userId });
      const { grantId, parent, root } = (event?.data ?? {}) as Record<string, Record<string, unknown>>;
      expect(root).to.deep.equal({ grantId, clientId: api.id });
      expect(parent).to.deep.include({ issuer: OTHER_ISSUER, tokenType: 'jwt', mapping: 'user-name' });
      expect(JSON.stringify(await running.events())).to.not.include(subject);
    });

    it('needs no exchange policy, unlike a further exchange of the new token', async () => {
      await trust();
      const first = await exchangeForToken(running, api, await issueSubjectJwt(), JWT);
      const mid = await addExchanger('Mid');
      await expectRefused(() => exchange(running, mid, first), 'exchange-policy-missing', 'invalid_request', mid);
      await allowExchange(running, mid, api);
      const second = await exchangeForToken(running, mid, first);
      expect(await introspect(running, mid, second)).to.include({ client_id: mid.id, username: 'ada' });
      await running.post('/o/revoke_token/', { token: first }, { authorization: api.basic });
      expect(await isActive(second)).to.equal(false);
    });

    it('is also accepted as an ID token if the client declares that type', async () => {
      await trust({ audience: ['client at the other issuer'] });
      const subject = await issueSubjectJwt({ aud: 'client at the other issuer' });
      await exchangeForToken(running, api, subject, { subject_token_type: TOKEN_TYPES.idToken });
      expect((await running.events()).findLast(({ type }) => type === 'TokenExchanged')?.data).to.have.nested.property(
        'parent.tokenType',
        'id_token',
      );
    });

    it("can identify the client itself if the issuer's settings map subjects to clients", async () => {
      await trust({ mapping: 'client' });
      const token = await exchangeForToken(running, api, await signForeignToken(running), JWT);
      expect(await introspect(running, api, token)).to.include({ sub: api.id });
      expect(await introspect(running, api, token)).to.not.have.property('username');
    });

    it('identifies the user by an e-mail address that both servers have verified', async () => {
      await trust({ mapping: 'verified-email' });
      const { accounts } = running.service();
      const email = 'ada@example.com';
      await accounts.changeProfile(account(), { email }, OPERATOR);
      const claims = { sub: '248289761001', email, email_verified: true };
      await expectRefused(async () => exchange(running, api, await issueSubjectJwt(claims), JWT), 'issuer-subject');
      await accounts.verifyEmail(account(), OPERATOR);
      const token = await exchangeForToken(running, api, await issueSubjectJwt(claims), JWT);
      expect(await introspect(running, api, token)).to.include({ username: 'ada' });
      for (const changes of [{ email_verified: false }, { email_verified: 'true' }, { email: 'eve@example.com' }])
        await expectRefused(
          async () => exchange(running, api, await issueSubjectJwt({ ...claims, ...changes }), JWT),
          'issuer-subject',
        );
    });

    it("is limited by the issuer's settings, by its own claims and by the request", async () => {
      await trust({ resources: [API], maxTokenLifetimeSeconds: 60 });
      const response = await exchange(
        running,
        api,
        await issueSubjectJwt({ scope: 'read', exp: secondsFromNow(500) }),
        JWT,
      );
      expect(response.json, response.text).to.include({ scope: 'read', expires_in: 60 });
      expect(await introspect(running, api, expectAccessToken(response))).to.include({ aud: API });
      const issueLimitedJwt = () => issueSubjectJwt({ scope: 'read' });
      const widerScope = { ...JWT, scope: 'write' };
      await expectRefused(
        async () => exchange(running, api, await issueLimitedJwt(), widerScope),
        'exchange-scope-beyond',
        'invalid_scope',
      );
      const otherAudience = { ...JWT, audience: FILES };
      await expectRefused(
        async () => exchange(running, api, await issueSubjectJwt(), otherAudience),
        'exchange-resource-beyond',
        'invalid_target',
      );
      await expectRefused(
        async () => exchange(running, api, await issueSubjectJwt({ resource: FILES }), JWT),
        'issuer-no-resource-left',
        'invalid_target',
      );
      await expectRefused(
        async () => exchange(running, api, await issueSubjectJwt({ scope: 'groups' }), JWT),
        'issuer-no-scope-left',
        'invalid_scope',
      );
    });

    it('creates a grant that the user sees until it is revoked', async () => {
      await trust();
      const first = await exchangeForToken(running, api, await issueSubjectJwt(), JWT);
      const { projections } = running.service();
      const [grant] = projections.grants.listByUser(account().userId, Math.floor(running.clock.now() / 1000));
      expect(grant).to.deep.include({ clientId: api.id, scope: ['read', 'write'] });
      await running.post('/o/revoke_token/', { token: first }, { authorization: api.basic });
      expect(projections.grants.listByUser(account().userId, 0)).to.deep.equal([]);
    });
  });

  describe('an actor token', () => {
    it('from another issuer identifies the client as the actor', async () => {
      await allowExchange(running, api, web);
      await trustActors();
      const subject = (await userTokens(running, web, ada, { scope: 'read' })).access;
      const actor = { actor: await issueActorToken(), actor_token_type: TOKEN_TYPES.jwt };
      const response = await exchange(running, api, subject, actor);
      expect(response.json, response.text).to.include({ expires_in: 60, scope: 'read' });
      expect(await introspect(running, api, expectAccessToken(response))).to.deep.include({ act: { sub: api.id } });
      const event = (await running.events()).findLast(({ type }) => type === 'TokenExchanged');
      expect(event?.data).to.have.nested.property('actor.issuer', ACTOR_ISSUER);
    });

    it('can identify a user who acts through the client, until the account is disabled', async () => {
      await running.addUser('bert');
      await allowExchange(running, api, web);
      await trustActors({ mapping: 'user-name' });
      const subject = (await userTokens(running, web, ada, { scope: 'read' })).access;
      const actor = { actor: await issueActorToken({ sub: 'bert' }), actor_token_type: TOKEN_TYPES.jwt };
      const token = await exchangeForToken(running, api, subject, actor);
      expect(await introspect(running, api, token)).to.deep.include({
        act: { sub: account('bert').userId, client_id: api.id },
      });
      await running.service().accounts.disable(account('bert'), OPERATOR);
      expect(await isActive(token)).to.equal(false);
      await running.service().accounts.enable(account('bert'), OPERATOR);
      expect(await isActive(token)).to.equal(false);
      await running.restart();
      expect(await isActive(token)).to.equal(false);
      expect(await isActive(subject)).to.equal(true);
    });

    it("is limited to the scope in its issuer's settings, which must allow actor tokens", async () => {
      await allowExchange(running, api, web);
      await trustActors({ scope: ['write'] });
      const subject = (await userTokens(running, web, ada, { scope: 'read' })).access;
      const actor = async () => ({ actor: await issueActorToken(), actor_token_type: TOKEN_TYPES.jwt });
      await expectRefused(
        async () => exchange(running, api, subject, await actor()),
        'exchange-no-scope-left',
        'invalid_scope',
      );
      await trustActors({ uses: ['subject-token'] });
      await expectRefused(async () => exchange(running, api, subject, await actor()), 'issuer-use');
    });

    it('acts for the subject of another JWT, but not for its own subject', async () => {
      await trust();
      await trustActors();
      const actor = { actor: await issueActorToken(), actor_token_type: TOKEN_TYPES.jwt };
      const token = await exchangeForToken(running, api, await issueSubjectJwt(), { ...JWT, ...actor });
      expect(await introspect(running, api, token)).to.deep.include({ username: 'ada', act: { sub: api.id } });
      const sameSubject = { ...JWT, actor: await issueSubjectJwt(), actor_token_type: TOKEN_TYPES.jwt };
      await expectRefused(
        async () => exchange(running, api, await issueSubjectJwt(), sameSubject),
        'exchange-actor-is-subject',
      );
      await trust({ mapping: 'client' });
      const clientAsActor = { ...JWT, actor: await ownToken(running, api) };
      await expectRefused(
        async () => exchange(running, api, await issueSubjectJwt(), clientAsActor),
        'exchange-actor-is-subject',
      );
    });
  });

  describe('the may_act claim (§4.4)', () => {
    beforeEach(async () => {
      await trust();
      await trustActors();
    });
    const ISSUER = 'http://localhost:8000';
    const actorParameters = async () => ({
      alone: {},
      own: { actor: await ownToken(running, api) },
      other: { actor: await issueActorToken(), actor_token_type: TOKEN_TYPES.jwt },
    });

    it('allows the named party: the client, an actor from this server, or an actor from another issuer', async () => {
      for (const [actorKind, mayAct] of [
        ['alone', { client_id: api.id }],
        ['alone', { iss: ISSUER, sub: api.id }],
        ['own', { iss: ISSUER, sub: api.id, client_id: api.id }],
        ['own', { iss: ISSUER, client_id: api.id }],
        ['other', { iss: ACTOR_ISSUER, sub: 'pod 1' }],
        ['other', { client_id: api.id }],
      ] as const) {
        const response = await exchange(running, api, await issueSubjectJwt({ may_act: mayAct }), {
          ...JWT,
          ...(await actorParameters())[actorKind],
        });
        expect(response.status, `${actorKind} ${JSON.stringify(mayAct)}: ${response.text}`).to.equal(200);
      }
    });

    it('does not allow other parties, and must identify a party', async () => {
      for (const [actorKind, mayAct] of [
        ['alone', { client_id: web.id }],
        ['alone', { sub: api.id }],
        ['own', { sub: api.id }],
        ['own', { iss: ISSUER, sub: web.id }],
        ['own', { iss: ISSUER, sub: api.id, client_id: web.id }],
        ['other', { sub: 'pod 1' }],
        ['other', { iss: ACTOR_ISSUER, sub: 'pod 2' }],
        ['other', { iss: ISSUER, sub: api.id }],
        ['own', { client_id: api.id, email: 'api@example.com' }],
        ['own', { iss: ISSUER }],
        ['own', {}],
        ['own', []],
        ['own', api.id],
        ['own', null],
      ] as const) {
        const parameters = { ...JWT, ...(await actorParameters())[actorKind] };
        await expectRefused(
          async () => exchange(running, api, await issueSubjectJwt({ may_act: mayAct }), parameters),
          'exchange-may-act',
        );
      }
    });
  });

  describe('an exchange refuses', () => {
    for (const [title, changes, rule] of [
      ['an untrusted issuer', { claims: { iss: 'https://other.example' } }, 'issuer-untrusted'],
      ['a missing exp', { claims: { exp: undefined } }, 'issuer-time'],
      ['an exp in the far future', { claims: { exp: 9_999_999_999 } }, 'issuer-time'],
      ['an exp in the past', { claims: { exp: 1 } }, 'issuer-time'],
      ['a wrong aud', { claims: { aud: 'https://other.example' } }, 'issuer-audience'],
      ["another signer's key", { keys: keyPairFor('ES256', 'forger') }, 'issuer-key-unknown'],
      ['a forged act', { claims: { act: { sub: 'bert' } } }, 'issuer-act'],
      ['an act with the subject itself', { claims: { act: { sub: 'ada' } } }, 'issuer-act'],
      [
        'an act chain of five',
        { claims: { act: { sub: 'a', act: { sub: 'b', act: { sub: 'c', act: { sub: 'd', act: { sub: 'e' } } } } } } },
        'issuer-act',
      ],
      ['an act that is not an object', { claims: { act: null } }, 'issuer-act'],
      ['an identity assertion', { header: { typ: ID_JAG_TYPE } }, 'issuer-token-type'],
      ['an authorization grant', { header: { typ: 'authorization-grant+jwt' } }, 'issuer-token-type'],
      ['a client assertion', { header: { typ: 'client-authentication+jwt' } }, 'issuer-token-type'],
      ['a logout token', { header: { typ: 'logout+jwt' } }, 'issuer-token-type'],
      ['an unknown subject', { claims: { sub: 'nobody' } }, 'issuer-subject'],
    ] as const)
      it(title, async () => {
        await trust();
        const claims = { sub: 'ada', ...('claims' in changes ? changes.claims : {}) };
        const jwt = await signForeignToken(running, { ...changes, claims });
        await expectRefused(() => exchange(running, api, jwt, JWT), rule);
        await allowExchange(running, api, web);
        const subject = (await userTokens(running, web, ada, { scope: 'read' })).access;
        const actor = { actor: jwt, actor_token_type: TOKEN_TYPES.jwt };
        await expectRefused(() => exchange(running, api, subject, actor), rule);
      });

    it("alg none, a shared secret, a wrong signature, and the client's own client assertion", async () => {
      await trust();
      const genuineJwt = await issueSubjectJwt();
      const [header = '', payload = '', signature = ''] = genuineJwt.split('.');
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const secret = new TextEncoder().encode(JSON.stringify(issuerKeys().jwk));
      const claims = { iss: OTHER_ISSUER, sub: 'ada', aud: 'http://localhost:8000', exp: secondsFromNow(60) };
      const keys = keyPairFor('ES256', 'key of the client');
      for (const [jwt, rule] of [
        [`${encode({ alg: 'none' })}.${payload}.`, 'issuer-algorithm'],
        [await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret), 'issuer-algorithm'],
        [`${header}.${encode({ ...claims, sub: 'bert' })}.${signature}`, 'issuer-signature-wrong'],
        [await signAssertion(running, api, keys), 'issuer-untrusted'],
        ['eyJub3Q', 'issuer-token-malformed'],
      ] as const)
        await expectRefused(() => exchange(running, api, jwt, JWT), rule);
      expect((await exchange(running, api, genuineJwt, JWT)).status).to.equal(200);
    });

    it("a different client, a different use, and a JWT that is declared as this server's token", async () => {
      await trust();
      const otherClient = await addExchanger('Other');
      await expectRefused(
        async () => exchange(running, otherClient, await issueSubjectJwt(), JWT),
        'issuer-client',
        'invalid_request',
        otherClient,
      );
      await expectRefused(async () => exchange(running, api, await issueSubjectJwt()), 'exchange-token-type');
      await trust({ uses: ['assertion'] });
      await expectRefused(async () => exchange(running, api, await issueSubjectJwt(), JWT), 'issuer-use');
      const opaqueToken = await ownToken(running, api);
      await expectRefused(() => exchange(running, api, opaqueToken, JWT), 'exchange-token-type');
    });

    it('a second exchange by the same client, and a fifth exchange in the chain', async () => {
      await trust();
      let token = await exchangeForToken(running, api, await issueSubjectJwt(), JWT);
      await allowExchange(running, api, api);
      await expectRefused(() => exchange(running, api, token), 'exchange-client-repeated');
      let previous = api;
      for (const name of ['Two', 'Three', 'Four']) {
        const nextClient = await addExchanger(name);
        await allowExchange(running, nextClient, previous);
        token = await exchangeForToken(running, nextClient, token);
        previous = nextClient;
      }
      const fifthClient = await addExchanger('Five');
      await allowExchange(running, fifthClient, previous);
      await expectRefused(
        () => exchange(running, fifthClient, token),
        'exchange-chain-too-deep',
        'invalid_request',
        fifthClient,
      );
    });

    it('clients that require a second factor', async () => {
      const strictClient = await addExchanger('Strict', { secondFactorRequired: true });
      await trust({ clients: [strictClient.id, api.id] });
      await expectRefused(
        async () => exchange(running, strictClient, await issueSubjectJwt(), JWT),
        'exchange-second-factor',
        'invalid_request',
        strictClient,
      );
    });
  });

  describe('an exchange issues tokens that become invalid', () => {
    async function issueChain(): Promise<readonly string[]> {
      const mid = await addExchanger('Mid');
      await allowExchange(running, mid, api);
      const first = await exchangeForToken(running, api, await issueSubjectJwt(), JWT);
      return [first, await exchangeForToken(running, mid, first)];
    }
    const areActive = async (tokens: readonly string[]) => Promise.all(tokens.map(isActive));

    it('when the issuer is no longer trusted, and stay invalid after a restart and renewed trust', async () => {
      await trust();
      const tokens = await issueChain();
      expect(await areActive(tokens)).to.deep.equal([true, true]);
      await distrust(OTHER_ISSUER);
      expect(await areActive(tokens)).to.deep.equal([false, false]);
      await trust();
      await running.restart();
      expect(await areActive(tokens)).to.deep.equal([false, false]);
    });

    it("when the actor token's issuer is no longer trusted, even for a program", async () => {
      await trust({ mapping: 'client' });
      await allowExchange(running, api, web);
      await trustActors();
      const clientToken = await exchangeForToken(running, api, await signForeignToken(running), JWT);
      const subject = (await userTokens(running, web, ada, { scope: 'read' })).access;
      const actor = { actor: await issueActorToken(), actor_token_type: TOKEN_TYPES.jwt };
      const token = await exchangeForToken(running, api, subject, actor);
      await distrust(ACTOR_ISSUER);
      expect(await areActive([clientToken, token])).to.deep.equal([true, false]);
      await distrust(OTHER_ISSUER);
      expect(await areActive([clientToken, subject])).to.deep.equal([false, true]);
    });

    it('when the user is disabled, and stay invalid when the user is enabled again', async () => {
      await trust();
      const tokens = await issueChain();
      await running.service().accounts.disable(account(), OPERATOR);
      await running.service().accounts.enable(account(), OPERATOR);
      expect(await areActive(tokens)).to.deep.equal([false, false]);
    });

    it('when the JWT expires or their client is removed', async () => {
      await trust();
      const tokens = await issueChain();
      running.clock.advance(61);
      expect(await areActive(tokens)).to.deep.equal([false, false]);
      const newToken = await exchangeForToken(running, api, await issueSubjectJwt(), JWT);
      const resourceServer = await running.addClient({ name: 'Checker', restrictedScopes: ['introspection'] });
      expect(await introspect(running, resourceServer, newToken)).to.include({ active: true });
      await running.service().registration.remove(api.id as ClientId, OPERATOR);
      expect(await introspect(running, resourceServer, newToken)).to.deep.equal({ active: false });
    });
  });

  it("an exchange issues a token that is bound to the client's key if the client sends a proof", async () => {
    await trust();
    running.clock.advance(NONCE_PERIOD_SECONDS);
    const body = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await issueSubjectJwt(),
      ...JWT,
    };
    const key = keyPairFor('ES256', 'of the exchanging client');
    const response = await tokenWithProof(running, api, body, await signProof(running, key));
    expect(response.json, response.text).to.include({ token_type: 'DPoP' });
  });

  const secondsFromNow = (seconds: number): number => Math.floor(running.clock.now() / 1000) + seconds;
});
