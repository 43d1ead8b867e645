import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { REFRESHES_PER_SUMMARY } from '../../src/domain/authorization-grant.ts';
import type { RegistrationFields } from '../../src/oauth/clients/registration-rules.ts';
import { authorizePath, expectErrorRedirect, openSession } from '../support/authorize-requests.ts';
import { expectRefusal, expectTokens, isAccepted } from '../support/protocol-responses.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const PLAIN_CHALLENGE = { code_challenge: VERIFIER, code_challenge_method: 'plain' };
const S256_CHALLENGE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};
const THIS_SERVER = 'http://localhost:8000';
const CALENDAR = 'https://calendar.example';
const CONTACTS = 'https://contacts.example';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

const SCOPES = { read: 'Read', write: 'Write', groups: 'Groups' };
const LOOSE = {
  requirePkce: 'none',
  pkceMethods: ['S256', 'plain'],
  scopes: SCOPES,
  resources: [CALENDAR, CONTACTS],
} as const;

describe('A grant after a change to the settings or the registration', () => {
  let running: RunningService;
  let client: TestClient;
  let ada: TestUser;

  async function setUp(
    settings: NonNullable<Parameters<typeof runningService>[0]>['settings'] = {},
    options: Parameters<RunningService['addClient']>[0] = {},
  ): Promise<void> {
    running = await runningService({ settings: { ...LOOSE, ...settings } });
    ada = await running.addUser('ada');
    client = await running.addClient(options);
  }
  afterEach(() => running.close());

  const redeem = (code: string, parameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...parameters });
  const refresh = (token: string, parameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    running.token(client, { grant_type: 'refresh_token', refresh_token: token, ...parameters });
  const passwordGrant = (parameters: Readonly<Record<string, string>> = {}): Promise<TestResponse> =>
    running.token(client, { grant_type: 'password', ...ada, ...parameters });
  const introspect = async (token: string): Promise<Readonly<Record<string, unknown>>> =>
    (await running.post('/o/introspect/', { token }, { authorization: client.basic })).json ?? {};
  const refusedRule = (): string | undefined => running.service().explanations.listByClient(client.id)[0]?.rule;

  async function update(changes: Partial<RegistrationFields>): Promise<void> {
    const registeredClient = running.service().projections.clients.find(client.id);
    if (registeredClient === undefined) throw new Error('there is no such client');
    expect(
      await running
        .service()
        .registration.update(registeredClient.clientId, { ...registeredClient, ...changes }, OPERATOR),
    ).to.equal(undefined);
  }

  function tokensOf({ json }: TestResponse): { readonly access: string; readonly refresh: string } {
    return { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }

  describe('under stricter PKCE settings', () => {
    it('needs a challenge for its code, which a refusal does not use up', async () => {
      await setUp();
      const code = await running.authorize(client, ada);
      await running.restart({ requirePkce: 'all' });
      expectRefusal(await redeem(code), 'invalid_grant');
      expect(refusedRule()).to.equal('code-challenge-missing');
      await running.restart(LOOSE);
      expectTokens(await redeem(code), { scope: 'read write', refresh: true });
    });

    it('needs a challenge for its code once its client has become public', async () => {
      await setUp({ requirePkce: 'public' }, { grantTypes: ['authorization-code'] });
      const code = await running.authorize(client, ada);
      await update({ clientType: 'public' });
      expectRefusal(await redeem(code), 'invalid_grant');
      expect(refusedRule()).to.equal('code-challenge-missing');
    });

    it('needs a PKCE method that is allowed when the code is redeemed', async () => {
      await setUp();
      const [plainCode, s256Code] = [
        await running.authorize(client, ada, PLAIN_CHALLENGE),
        await running.authorize(client, ada, S256_CHALLENGE),
      ];
      await running.restart({ pkceMethods: ['S256'] });
      expectRefusal(await redeem(plainCode, { code_verifier: VERIFIER }), 'invalid_grant');
      expect(refusedRule()).to.equal('parameter-value');
      expectTokens(await redeem(s256Code, { code_verifier: VERIFIER }), { scope: 'read write', refresh: true });
    });
  });

  describe('with a scope that was removed from the settings', () => {
    const { write: _, ...WITHOUT_WRITE } = SCOPES;

    for (const accessTokenFormat of ['opaque', 'jwt']) {
      it(`has ${accessTokenFormat} tokens without this scope, whether old or new`, async () => {
        await setUp({}, { accessTokenFormat });
        const code = await running.authorize(client, ada, { scope: 'write read' });
        const { access, refresh: token } = tokensOf(await passwordGrant({ scope: 'write read' }));
        /** Returns the status of a request to add a user without any fields: 400 if the token is sufficient. */
        const addUserStatus = async (bearer: string): Promise<number> =>
          (await running.post('/users/', {}, { authorization: `Bearer ${bearer}` })).status;
        expect(await addUserStatus(access)).to.equal(400);
        await running.restart({ scopes: WITHOUT_WRITE });
        expect([await addUserStatus(access), await isAccepted(running, access)]).to.deep.equal([403, true]);
        for (const credential of [access, token])
          expect(await introspect(credential)).to.include({ active: true, scope: 'read' });
        for (const answer of [await refresh(token), await redeem(code)]) {
          const renewedTokens = expectTokens(answer, { scope: 'read', refresh: true });
          expect([
            await addUserStatus(renewedTokens.access),
            await isAccepted(running, renewedTokens.access),
          ]).to.deep.equal([403, true]);
          if (accessTokenFormat === 'jwt') expect(claims(renewedTokens.access)).to.include({ scope: 'read' });
        }
      });
    }

    it('cannot be refreshed with this scope', async () => {
      await setUp();
      const { refresh: token } = tokensOf(await passwordGrant({ scope: 'write read' }));
      await running.restart({ scopes: WITHOUT_WRITE });
      expectRefusal(await refresh(token, { scope: 'write' }), 'invalid_scope');
      expect(refusedRule()).to.equal('scope-unknown');
      expectTokens(await refresh(token, { scope: 'read' }), { scope: 'read', refresh: true });
    });

    it('has this scope again once it is restored', async () => {
      await setUp();
      const { access } = tokensOf(await passwordGrant({ scope: 'write' }));
      await running.restart({ scopes: WITHOUT_WRITE });
      expect(await introspect(access)).to.include({ active: true, scope: '' });
      await running.restart({ scopes: SCOPES });
      expect(await introspect(access)).to.include({ active: true, scope: 'write' });
    });
  });

  describe('for a resource server that was removed from the settings', () => {
    it('gets no new tokens if it has no other resource server', async () => {
      await setUp();
      const code = await running.authorize(client, ada, { resource: CALENDAR });
      const { access, refresh: token } = tokensOf(await passwordGrant({ resource: CALENDAR }));
      expect(await introspect(access)).to.include({ active: true, aud: CALENDAR });
      await running.restart({ resources: [CONTACTS] });
      for (const answer of [await refresh(token), await redeem(code)]) {
        expectRefusal(answer, 'invalid_target');
        expect(refusedRule()).to.equal('resource-unknown');
      }
      for (const credential of [access, token]) expect(await introspect(credential)).to.deep.equal({ active: false });
      await running.restart({ resources: [CALENDAR] });
      expect(await introspect(access), 'once it is restored').to.include({ active: true, aud: CALENDAR });
      for (const answer of [await refresh(token), await redeem(code)])
        expectTokens(answer, { scope: answer.json?.['scope'] as string, refresh: true });
    });

    it('gets tokens for the remaining resource servers, and still repeats a lost response', async () => {
      await setUp();
      const code = await authorizeFor(CALENDAR, CONTACTS);
      const { refresh: token } = tokensOf(await redeem(await authorizeFor(CALENDAR, CONTACTS, THIS_SERVER)));
      await running.restart({ resources: [CONTACTS] });
      expect(await introspect(token)).to.deep.include({ active: true, aud: [CONTACTS, THIS_SERVER] });
      expect(await introspect(tokensOf(await redeem(code)).access)).to.include({ aud: CONTACTS });
      const renewedResponse = await refresh(token);
      expect(await introspect(tokensOf(renewedResponse).access)).to.deep.include({ aud: [CONTACTS, THIS_SERVER] });
      expect((await refresh(token)).text, 'a repeated request').to.equal(renewedResponse.text);
    });

    it('never gets an unrestricted token', async () => {
      await setUp({}, { accessTokenFormat: 'jwt' });
      const { access, refresh: token } = tokensOf(await passwordGrant({ resource: CALENDAR }));
      await running.restart({ resources: [] });
      expect(await isAccepted(running, access)).to.equal(false);
      expectRefusal(await refresh(token), 'invalid_target');
    });

    it('still detects the reuse of a refresh token and the replay of a code', async () => {
      await setUp();
      const code = await running.authorize(client, ada, { resource: CALENDAR });
      const codeTokens = tokensOf(await redeem(code));
      const passwordTokens = tokensOf(await passwordGrant({ resource: CALENDAR }));
      await refresh(passwordTokens.refresh);
      running.clock.advance(60);
      await running.restart({ resources: [CONTACTS] });
      const countRevocations = async (): Promise<number> =>
        (await running.events()).filter(({ type }) => type === 'GrantRevoked').length;
      expectRefusal(await redeem(code), 'invalid_grant');
      expect(await countRevocations()).to.equal(1);
      expectRefusal(await refresh(passwordTokens.refresh), 'invalid_grant');
      expect(await countRevocations()).to.equal(2);
      expectRefusal(await refresh(codeTokens.refresh), 'invalid_grant');
    });
  });

  describe('with a grant type that was removed from the application', () => {
    it('cannot be refreshed, while grants of other types can', async () => {
      await setUp();
      const [passwordTokens, codeTokens] = [
        tokensOf(await passwordGrant()),
        tokensOf(await redeem(await running.authorize(client, ada))),
      ];
      await update({ grantTypes: ['authorization-code'] });
      expect([
        await introspect(passwordTokens.refresh),
        (await introspect(codeTokens.refresh))['active'],
      ]).to.deep.equal([{ active: false }, true]);
      expectRefusal(await refresh(passwordTokens.refresh), 'unauthorized_client');
      expect(refusedRule()).to.equal('client-not-registered-for');
      const renewedTokens = expectTokens(await refresh(codeTokens.refresh), { scope: 'read write', refresh: true });
      await update({ grantTypes: ['password'] });
      expectRefusal(await refresh(renewedTokens.refresh), 'unauthorized_client');
      expectTokens(await refresh(passwordTokens.refresh), { scope: 'read write groups', refresh: true });
    });

    it('cannot be refreshed, even after many refreshes and a restart', async () => {
      await setUp();
      let { refresh: token } = tokensOf(await redeem(await running.authorize(client, ada)));
      for (let times = 0; times < REFRESHES_PER_SUMMARY; times += 1) token = tokensOf(await refresh(token)).refresh;
      expect((await running.events()).at(-1)?.type).to.equal('GrantSummarized');
      await running.restart();
      await update({ grantTypes: ['password'] });
      expectRefusal(await refresh(token), 'unauthorized_client');
      await update({ grantTypes: ['authorization-code'] });
      expectTokens(await refresh(token), { scope: 'read write', refresh: true });
    });

    it('cannot be created from an earlier code or consent form', async () => {
      await setUp();
      const code = await running.authorize(client, ada);
      const browser = await openSession(running, ada);
      const form = await browser.get(authorizePath(client));
      await update({ grantTypes: ['password'] });
      expectRefusal(await redeem(code), 'unauthorized_client');
      expectErrorRedirect(await browser.submit(form, { allow: 'Authorize' }), 'unauthorized_client');
    });
  });

  /** Authorizes a request for all `resources`, and returns the code. */
  async function authorizeFor(...resources: readonly string[]): Promise<string> {
    const browser = await openSession(running, ada);
    const query = new URLSearchParams(resources.map((uri): [string, string] => ['resource', uri]));
    const { location } = await browser.submit(await browser.get(`${authorizePath(client)}&${query.toString()}`), {
      allow: 'Authorize',
    });
    return new URL(location ?? '').searchParams.get('code') ?? '';
  }
});

function claims(jwt: string): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
}
