import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { createLevelLog } from '../../src/event-store/engines/level.ts';
import { START } from '../../src/event-store/event-log.ts';
import type { AffectedRow, RevocationResult } from '../../src/operations/blast-radius.ts';
import { operate } from '../../src/operations/operations.ts';
import {
  signAssertion,
  clientKeys,
  keyPairFor,
  registerKeys,
  registerKeysUri,
  withAssertion,
} from '../support/assertions.ts';
import { createGate } from '../support/gate.ts';
import { startHostileServer } from '../support/hostile-server.ts';
import { GatedLevel } from '../support/gated-level.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../support/running-service.ts';
import {
  expectAccessToken,
  allowExchange,
  exchange,
  exchangeForToken,
  ownToken,
  userTokens,
} from '../support/token-exchange.ts';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import { signForeignToken, issuerKeys, trustIssuer } from '../support/trusted-issuers.ts';
import { authorizePath, openSession } from '../support/authorize-requests.ts';
import { REDIRECT_URI } from '../support/running-service.ts';

const ALL_GRANTS = ['authorization-code', 'password', 'client-credentials', 'token-exchange'] as const;

async function callOn(running: RunningService, name: string, input: object): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of operate(running.service())(name, input, new AbortController().signal)) items.push(item);
  return items;
}

describe('The blast radius of a leak', function () {
  this.timeout(120_000);
  let directory: string;
  let running: RunningService;
  let ada: TestUser;
  let web: TestClient;
  let api: TestClient;
  let tool: TestClient;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-radius-'));
    const disk = new GatedLevel(join(directory, 'log'), createGate());
    await disk.open();
    running = await runningService({ log: await createLevelLog(disk) });
    ada = await running.addUser('ada');
    web = await running.addClient({ name: 'Web', grantTypes: ALL_GRANTS });
    api = await running.addClient({ name: 'Api', grantTypes: ALL_GRANTS });
    tool = await running.addClient({ name: 'Tool', grantTypes: ALL_GRANTS });
    await allowExchange(running, api, web);
    await allowExchange(running, tool, api);
  });
  afterEach(async () => {
    const findings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
    await running.close();
    rmSync(directory, { recursive: true });
    expect(findings, 'audit findings').to.deep.equal([]);
  });

  const call = (name: string, input: object): Promise<readonly unknown[]> => callOn(running, name, input);
  const listAffected = async (source: object): Promise<readonly AffectedRow[]> =>
    (await call('log blast-radius', source)).slice(1) as readonly AffectedRow[];
  const endBlastRadius = async (source: object): Promise<RevocationResult> =>
    (await call('log blast-radius end', source))[0] as RevocationResult;
  const isActive = (token: string): boolean =>
    running.service().presentedTokens.find(token, Math.floor(running.clock.now() / 1000) as never) !== undefined;

  /** Ada's token at Web is exchanged by Api with its own token as the actor token. Tool exchanges the result. */
  async function exchangeTwice() {
    const root = await userTokens(running, web, ada, { scope: 'read write' });
    const actor = await ownToken(running, api, { scope: 'read write' });
    const apiToken = await exchangeForToken(running, api, root.access, { actor });
    const toolToken = await exchangeForToken(running, tool, apiToken, { scope: 'read' });
    return { root, actor, apiToken, toolToken };
  }

  const summarize = (rows: readonly AffectedRow[]) =>
    rows.map(({ is, application, user, tokens, via }) => [is, application, user, tokens, via.replace(/ .*/, '')]);

  it('of a token contains its grant, and all exchanges that descend from it', async () => {
    const { root, apiToken, actor } = await exchangeTwice();
    const authorization = ['authorization', 'Web', 'ada', 1, 'source'];
    const exchanges = [
      ['exchange', 'Api', 'ada', 1, 'subject'],
      ['exchange', 'Tool', 'ada', 1, 'subject'],
    ];
    expect(summarize(await listAffected({ token: root.access }))).to.deep.equal([authorization, ...exchanges]);
    expect(summarize(await listAffected({ token: root.refresh }))).to.deep.equal([authorization, ...exchanges]);
    expect(summarize(await listAffected({ token: apiToken }))).to.deep.equal([
      ['exchange', 'Api', 'ada', 1, 'source'],
      ['exchange', 'Tool', 'ada', 1, 'subject'],
    ]);
    expect(summarize(await listAffected({ token: actor }))).to.deep.equal([
      ['client credentials', 'Api', null, 1, 'source'],
      ['exchange', 'Api', 'ada', 1, 'actor'],
      ['exchange', 'Tool', 'ada', 1, 'subject'],
    ]);
  });

  it('of a token can be ended, which ends exactly the grants that came from the token', async () => {
    const { root, actor, apiToken, toolToken } = await exchangeTwice();
    const otherTokens = await userTokens(running, web, ada);
    const result = await endBlastRadius({ token: apiToken });
    expect(summarize(result.ended)).to.have.length(2);
    expect({ ...result, ended: [] }).to.deep.equal({
      stopped: 'nothing-to-stop',
      problem: null,
      client_secret: null,
      ended: [],
      left: 0,
    });
    expect([apiToken, toolToken].map(isActive)).to.deep.equal([false, false]);
    expect([root.access, actor, otherTokens.access].map(isActive)).to.deep.equal([true, true, true]);
    expect((await exchange(running, tool, apiToken)).status).to.equal(400);
    expect(await listAffected({ token: apiToken })).to.deep.equal([]);
  });

  it('shows the state at an earlier position or time', async () => {
    const { root, toolToken } = await exchangeTwice();
    const [position, time] = [running.log.head(), running.clock.now()];
    running.clock.advance(60);
    await endBlastRadius({ token: root.access });
    expect(await listAffected({ token: toolToken })).to.deep.equal([]);
    for (const moment of [{ position }, { time }])
      expect(summarize(await listAffected({ token: root.access, ...moment }))).to.have.length(3);
    expect(await listAffected({ token: root.access, position: position - 7 })).to.deep.equal([]);
  });

  it('of a client contains all its grants, tokens and exchanges; ending it replaces its secret', async () => {
    const { root, actor, apiToken, toolToken } = await exchangeTwice();
    expect(summarize(await listAffected({ client: api.id }))).to.have.deep.members([
      ['client credentials', 'Api', null, 1, 'source'],
      ['exchange', 'Api', 'ada', 1, 'actor'],
      ['exchange', 'Tool', 'ada', 1, 'subject'],
    ]);
    const result = await endBlastRadius({ client: api.id });
    expect([result.stopped, result.left]).to.deep.equal(['secret-replaced', 0]);
    expect([actor, apiToken, toolToken].map(isActive)).to.deep.equal([false, false, false]);
    expect(isActive(root.access)).to.equal(true);
    expect((await running.token(api, { grant_type: 'client_credentials' })).status).to.equal(401);
    const basic = `Basic ${Buffer.from(`${api.id}:${result.client_secret}`).toString('base64')}`;
    await ownToken(running, { ...api, basic });
  });

  it('of a client replaces its secret each time it is ended, because the new one may have leaked', async () => {
    await ownToken(running, api);
    const firstResult = await endBlastRadius({ client: api.id });
    const basic = `Basic ${Buffer.from(`${api.id}:${firstResult.client_secret}`).toString('base64')}`;
    const secondResult = await endBlastRadius({ client: api.id });
    expect([firstResult.stopped, secondResult.stopped]).to.deep.equal(['secret-replaced', 'secret-replaced']);
    expect(secondResult.ended).to.deep.equal([]);
    const { status } = await running.token({ ...api, basic }, { grant_type: 'client_credentials' });
    expect(status, 'the unused secret of the first result').to.equal(401);
  });

  it('of a public client ends along with its codes, with a warning that users can authorize it again', async () => {
    const grantTypes = ['authorization-code'] as const;
    const mobile = await running.addClient({ name: 'Mobile', clientType: 'public', grantTypes });
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
    await running.authorize(mobile, ada, { scope: 'read', ...challenge });
    expect(summarize(await listAffected({ client: mobile.id }))).to.deep.equal([
      ['authorization', 'Mobile', 'ada', 0, 'source'],
    ]);
    const { stopped, problem } = await endBlastRadius({ client: mobile.id });
    expect(stopped).to.equal('not-stopped');
    expect(problem).to.include('is public');
    expect(await listAffected({ client: mobile.id })).to.deep.equal([]);
  });

  it('of a session contains the grants that were authorized in it, and ending it ends the session, too', async () => {
    const browser = await openSession(running, ada);
    const consent = await browser.get(authorizePath(web, { scope: 'read write' }));
    const { location } = await browser.submit(consent, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const token = expectAccessToken(await running.token(web, redemption));
    const descendant = await exchangeForToken(running, api, token);
    const [session] = [...(await running.events())].filter(({ type }) => type === 'SessionStarted').toReversed();
    const hash = session?.stream.slice('session-'.length) ?? '';
    for (const source of [{ session: hash }, { session: hash.slice(0, 10), user: 'ada' }])
      expect(summarize(await listAffected(source))).to.deep.equal([
        ['authorization', 'Web', 'ada', 1, 'source'],
        ['exchange', 'Api', 'ada', 1, 'subject'],
      ]);
    expect((await endBlastRadius({ session: hash })).stopped).to.equal('session-ended');
    expect([token, descendant].map(isActive)).to.deep.equal([false, false]);
    expect((await browser.get('/accounts/')).status).to.equal(302);
  });

  it("of a client's key contains the grants obtained with it, and ending it removes the key", async () => {
    const [pair, otherPair] = [keyPairFor('ES256', 'leaked'), keyPairFor('ES256', 'kept')];
    await registerKeys(running, tool, pair, otherPair);
    const tokens = [];
    for (const keyPair of [pair, otherPair]) {
      const assertion = withAssertion(await signAssertion(running, tool, keyPair));
      tokens.push(
        expectAccessToken(await running.post('/o/token/', { grant_type: 'client_credentials', ...assertion })),
      );
    }
    const { keyId } =
      running
        .service()
        .projections.clients.find(tool.id)
        ?.authentication.keys.find(({ kid }) => kid === 'leaked') ?? expect.fail('no key');
    expect(await listAffected({ key: keyId })).to.have.length(1);
    const result = await endBlastRadius({ key: keyId });
    expect([result.stopped, result.ended.length]).to.deep.equal(['client-key-removed', 1]);
    expect(tokens.map(isActive)).to.deep.equal([false, true]);
    const assertion = withAssertion(await signAssertion(running, tool, pair));
    expect((await running.post('/o/token/', { grant_type: 'client_credentials', ...assertion })).status).to.equal(401);
  });

  it('of a key that a client publishes can be ended, with advice to remove it from the document', async () => {
    const pair = keyPairFor('ES256', 'published');
    const text = JSON.stringify({ keys: [pair.jwk] });
    const server = await startHostileServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`),
    );
    const fetchingServer = await runningService({
      settings: { outgoingHttp: true, outgoingNetworks: ['127.0.0.0/8'] },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const publisher = await fetchingServer.addClient({ grantTypes: ['client-credentials'] });
    await registerKeysUri(fetchingServer, publisher, `http://app.example:${server.port}/jwks.json`);
    const assertion = withAssertion(await signAssertion(fetchingServer, publisher, pair));
    expectAccessToken(await fetchingServer.post('/o/token/', { grant_type: 'client_credentials', ...assertion }));
    const [{ keyId } = expect.fail('no key')] = await clientKeys(pair);
    const [result] = await callOn(fetchingServer, 'log blast-radius end', { key: keyId });
    const { stopped, problem, ended, left } = result as RevocationResult;
    expect([stopped, ended.length, left]).to.deep.equal(['not-stopped', 1, 0]);
    expect(problem).to.include(`publishes its keys at http://app.example:${server.port}/jwks.json`);
    await fetchingServer.close();
    await server.close();
  });

  it('of a signing key contains the grants of the tokens that it signed, and ending it retires the key', async () => {
    const jwtClient = await running.addClient({ name: 'Jwt', grantTypes: ALL_GRANTS, accessTokenFormat: 'jwt' });
    const [token, opaqueToken] = [await ownToken(running, jwtClient), await ownToken(running, api)];
    const key = running
      .service()
      .projections.signingKeys.published()
      .find(({ lastExpiry }) => lastExpiry.size > 0);
    const result = await endBlastRadius({ key: key?.kid ?? '' });
    expect([result.stopped, result.ended.length]).to.deep.equal(['signing-key-retired', 1]);
    expect([token, opaqueToken].map(isActive)).to.deep.equal([false, true]);
    expect(running.service().projections.signingKeys.find(key?.kid ?? '')?.retired).to.equal('requested');
    expect(isActive(await ownToken(running, jwtClient))).to.equal(true);
  });

  it("of an assertion or its issuer's key contains its grant and exchanges", async () => {
    const bearer = await running.addClient({ name: 'Bearer', grantTypes: ['jwt-bearer'], redirectUris: [] });
    await allowExchange(running, api, bearer);
    const redeem = async () =>
      expectAccessToken(
        await running.token(bearer, { grant_type: JWT_BEARER_GRANT_TYPE, assertion: await signForeignToken(running) }),
      );
    const [{ keyId } = expect.fail('no key')] = await clientKeys(issuerKeys());
    for (const mapping of ['client', 'table'] as const) {
      const users = mapping === 'table' ? ['job 7=ada'] : [];
      await trustIssuer(running, bearer, { mapping, users });
      const [root, otherToken] = [await redeem(), await redeem()];
      const descendant = await exchangeForToken(running, api, root);
      const rows = summarize(await listAffected({ token: root }));
      expect(rows.map(([, application, user, tokens, via]) => [application, user, tokens, via])).to.deep.equal([
        ['Bearer', mapping === 'table' ? 'ada' : null, 1, 'source'],
        ['Api', mapping === 'table' ? 'ada' : null, 1, 'subject'],
      ]);
      expect(await listAffected({ key: keyId })).to.have.length(3);
      expect((await endBlastRadius({ token: root })).ended).to.have.length(2);
      expect([root, descendant, otherToken].map(isActive)).to.deep.equal([false, false, true]);
      const { stopped, problem, ended } = await endBlastRadius({ key: keyId });
      expect([stopped, ended.length]).to.deep.equal(['not-stopped', 1]);
      expect(problem).to.include('Remove the key from the record');
      expect(isActive(otherToken)).to.equal(false);
    }
  });

  describe('refuses a source that is not in the log', () => {
    const unknownId = 'A'.repeat(22);
    async function listRefusals(source: object): Promise<readonly string[]> {
      const head = running.log.head();
      const messages: string[] = [];
      for (const operation of [listAffected, endBlastRadius])
        messages.push(
          await operation(source).then(
            () => expect.fail('not refused'),
            (error: Error) => error.message,
          ),
        );
      expect(running.log.head()).to.equal(head);
      return [...new Set(messages)];
    }

    for (const [kind, source, message] of [
      ['grant', { grant: unknownId }, `no grant has the id "${unknownId}"`],
      ['client', { client: 'nobody' }, 'no client has the id "nobody"; see: grantlog client list'],
      ['key', { key: 'k1' }, 'no key has the thumbprint "k1", and no token depends on such a key'],
      ['session', { session: 'x' }, 'no session has the hash "x"; see: grantlog user sessions NAME'],
    ] as const) {
      it(`if it is a ${kind}`, async () => {
        expect(await listRefusals(source)).to.deep.equal([message]);
      });
    }

    it('and suggests the ids of the applications with this name', async () => {
      const [refusal] = await listRefusals({ client: 'Tool' });
      expect(refusal).to.match(new RegExp(`; did you mean ${tool.id}\\?$`));
      const secondTool = await running.addClient({ name: 'Tool', grantTypes: ALL_GRANTS });
      expect((await listRefusals({ client: 'Tool' }))[0])
        .to.include(tool.id)
        .and.include(secondTool.id);
    });

    it('and suggests the thumbprint of a key with this kid', async () => {
      const pair = keyPairFor('ES256', 'k1');
      await registerKeys(running, tool, pair);
      const [{ keyId } = expect.fail('no key')] = await clientKeys(pair);
      expect((await listRefusals({ key: 'k1' }))[0]).to.match(new RegExp(`; did you mean ${keyId}\\?$`));
      expect(await listAffected({ key: keyId })).to.deep.equal([]);
    });

    it('but not a client or grant that was removed', async () => {
      const { service } = running;
      const { root } = await exchangeTwice();
      const grant = (await listAffected({ token: root.access }))[0]?.grant ?? '';
      await service().registration.remove(web.id as never, { actor: { kind: 'operator' }, requestId: null });
      expect(await listAffected({ client: web.id })).to.deep.equal([]);
      expect(await listAffected({ grant })).to.deep.equal([]);
    });
  });

  it("of another issuer's JWT contains all grants that began with it; ending it warns about reuse", async () => {
    await trustIssuer(running, api, { uses: ['subject-token', 'actor-token'], mapping: 'user-name' });
    const jwt = await signForeignToken(running, { claims: { sub: 'ada' } });
    const jwtType = { subject_token_type: TOKEN_TYPES.jwt };
    const apiToken = await exchangeForToken(running, api, jwt, jwtType);
    const otherApiToken = await exchangeForToken(running, api, jwt, jwtType);
    const descendant = await exchangeForToken(running, tool, apiToken, { scope: 'read' });
    expect(summarize(await listAffected({ token: jwt }))).to.have.deep.members([
      ['exchange', 'Api', 'ada', 1, 'source'],
      ['exchange', 'Api', 'ada', 1, 'source'],
      ['exchange', 'Tool', 'ada', 1, 'subject'],
    ]);
    const result = await endBlastRadius({ token: jwt });
    expect([result.stopped, result.ended.length, result.left]).to.deep.equal(['not-stopped', 3, 0]);
    expect(result.problem).to.include('can be presented again');
    expect([apiToken, otherApiToken, descendant].map(isActive)).to.deep.equal([false, false, false]);
    running.clock.advance(36_000);
    expect((await endBlastRadius({ token: jwt })).stopped).to.equal('nothing-to-stop');
    const unknownJwt = await signForeignToken(running, { claims: { sub: 'ada', jti: 'never presented' } });
    expect(await listAffected({ token: unknownJwt }).catch((error: Error) => error.message)).to.equal(
      'the log contains no event that issued this token or code',
    );
  });

  it('is refused for no source, two sources, an unknown token or an invalid grant id', async () => {
    for (const [source, message] of [
      [{}, 'specify exactly one source'],
      [{ client: 'x', key: 'y' }, 'specify exactly one source'],
      [{ token: 'unknown' }, 'no event that issued this token'],
      [{ grant: 'short' }, '22 characters'],
    ] as const)
      expect(await listAffected(source).catch((error: Error) => error.message)).to.include(message);
  });

  describe('under load', () => {
    /** Ends the source's blast radius while requests extend it. Returns the tokens that the requests got. */
    async function endDuring(
      source: object,
      requests: readonly (() => Promise<{ readonly status: number; readonly json: unknown }>)[],
    ): Promise<{ readonly tokens: readonly string[]; readonly result: RevocationResult }> {
      const tokens: string[] = [];
      const stop = new AbortController();
      const workers = requests.map(async (request) => {
        while (!stop.signal.aborted) {
          const { status, json } = await request();
          if (status === 200) tokens.push(String((json as Record<string, unknown>)['access_token']));
        }
      });
      while (tokens.length < 20) await new Promise<void>((resolve) => setImmediate(resolve));
      const result = await endBlastRadius(source);
      stop.abort();
      await Promise.all(workers);
      return { tokens, result };
    }

    it('leaves no descendant of a token valid: concurrent exchanges and refreshes are refused or ended', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { root, actor, apiToken } = await exchangeTwice();
        let { refresh } = root;
        const { tokens, result } = await endDuring({ token: root.access }, [
          () => exchange(running, api, root.access),
          () => exchange(running, api, root.access, { actor }),
          () => exchange(running, tool, apiToken),
          async () => {
            const response = await running.token(web, { grant_type: 'refresh_token', refresh_token: refresh });
            if (response.status === 200) refresh = String(response.json?.['refresh_token']);
            return response;
          },
        ]);
        expect(result.left).to.equal(0);
        expect(tokens.filter(isActive)).to.deep.equal([]);
        expect(isActive(actor)).to.equal(true);
      }
    });

    it('leaves no token of a client valid: its secret is refused, and concurrent tokens are revoked', async () => {
      const { root, apiToken } = await exchangeTwice();
      const { tokens, result } = await endDuring({ client: api.id }, [
        () => running.token(api, { grant_type: 'client_credentials' }),
        () => exchange(running, api, root.access),
        () => exchange(running, tool, apiToken),
        () => running.token(api, { grant_type: 'password', ...ada }),
      ]);
      expect([result.stopped, result.left]).to.deep.equal(['secret-replaced', 0]);
      expect(tokens.filter(isActive)).to.deep.equal([]);
      expect(isActive(root.access)).to.equal(true);
    });
  });
});
