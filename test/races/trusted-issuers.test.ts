import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import { issuersOf } from '../../src/domain/token-exchange.ts';
import { START } from '../../src/event-store/event-log.ts';
import { TOKEN_TYPES } from '../../src/oauth/exchange/token-types.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../src/oauth/grant-types/jwt-bearer.ts';
import type { TrustedIssuerFields } from '../../src/oauth/issuers/issuer-rules.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import { startRacingService } from '../support/racing-service.ts';
import {
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
  ownToken,
  userTokens,
} from '../support/token-exchange.ts';
import { signForeignToken, OTHER_ISSUER, trustIssuer } from '../support/trusted-issuers.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const GRANT = /^grant-/;
const ISSUING_EVENTS = ['AssertionRedeemed', 'TokenExchanged', 'AccessTokenIssued'];
const USES = ['assertion', 'subject-token', 'actor-token'];

/** `api` presents tokens from the issuer, and exchanges tokens that were issued to `web`. */
interface Scene {
  readonly api: TestClient;
  readonly web: TestClient;
  readonly otherClient: TestClient;
  readonly ada: TestUser;
  /** A user's token that was issued to `web`. */
  readonly token: string;
}

async function createScene(running: RunningService): Promise<Scene> {
  const grantTypes = ['jwt-bearer', 'token-exchange', 'client-credentials'] as const;
  const api = await running.addClient({ name: 'Api', grantTypes, redirectUris: [] });
  const otherClient = await running.addClient({ name: 'Other', grantTypes, redirectUris: [] });
  const web = await running.addClient({ name: 'Web' });
  const ada = await running.addUser('ada');
  await allowExchange(running, api, web);
  await trust(running, api);
  const { access: token } = await userTokens(running, web, ada, { scope: 'read' });
  return { api, web, otherClient, ada, token };
}

const trust = (running: RunningService, client: TestClient, fields: Partial<TrustedIssuerFields> = {}) =>
  trustIssuer(running, client, { uses: USES, mapping: 'user-name', ...fields });

async function distrust(running: RunningService): Promise<void> {
  const { projections, trustedIssuerRegistry } = running.service();
  await trustedIssuerRegistry.remove(projections.trustedIssuers.find(OTHER_ISSUER) ?? expect.fail(), OPERATOR);
}

async function removePolicy(running: RunningService, { api, web }: Scene): Promise<void> {
  const { projections, exchangePolicyRegistry } = running.service();
  await exchangePolicyRegistry.remove(projections.exchangePolicies.find(api.id, web.id) ?? expect.fail(), OPERATOR);
}

const foreignTokenFor = (running: RunningService, sub = 'ada'): Promise<string> =>
  signForeignToken(running, { claims: { sub } });
const JWT = { subject_token_type: TOKEN_TYPES.jwt };

type Send = (running: RunningService, scene: Scene, externalToken: string) => Promise<TestResponse>;
const redeem: Send = (running, { api }, assertion) =>
  running.token(api, { grant_type: JWT_BEARER_GRANT_TYPE, assertion, scope: 'read' });
const exchangeExternal: Send = (running, { api }, externalToken) =>
  exchange(running, api, externalToken, { ...JWT, scope: 'read' });
/** The actor is another user, because users cannot act for themselves. */
const actWithExternal: Send = (running, { api, token }, externalToken) =>
  exchange(running, api, token, { actor_token: externalToken, actor_token_type: TOKEN_TYPES.jwt });

async function findViolations(running: RunningService): Promise<readonly unknown[]> {
  const findings: unknown[] = [];
  for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
  return findings;
}

describe("A request in flight with a trusted issuer's token", () => {
  let racing: Awaited<ReturnType<typeof startRacingService>>;
  let running: RunningService;
  let scene: Scene;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    scene = await createScene(running);
    await running.addUser('bob');
  });
  afterEach(async () => {
    expect(await findViolations(running), 'audit findings').to.deep.equal([]);
    await racing.close();
  });

  const REQUESTS: Readonly<Record<string, Send>> = {
    'an assertion': redeem,
    'a subject token': exchangeExternal,
    'an actor token': actWithExternal,
  };
  const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
    'removes the trust in the issuer': () => distrust(running),
    "replaces the issuer's clients": () => trust(running, scene.otherClient),
    "removes the use from the issuer's settings": () => trust(running, scene.api, { uses: ['identity-assertion'] }),
    "removes the scope from the issuer's settings": () => trust(running, scene.api, { scope: ['write'] }),
    'removes the client': async () => {
      const { projections, registration } = running.service();
      const client = projections.clients.find(scene.api.id) ?? expect.fail();
      await registration.remove(client.clientId, OPERATOR);
    },
  };
  for (const [credential, send] of Object.entries(REQUESTS))
    for (const [end, change] of Object.entries(ENDS))
      it(`is refused, and issues nothing, after an event that ${end}: ${credential}`, async () => {
        const externalToken = await foreignTokenFor(running, credential === 'an actor token' ? 'bob' : 'ada');
        const eventCount = (await running.events()).length;
        const [{ status }] = await racing.runBehind(change, GRANT, () => send(running, scene, externalToken));
        expect(status).to.be.oneOf([400, 401]);
        const newTypes = (await running.events()).slice(eventCount).map(({ type }) => type);
        expect(newTypes.filter((type) => ISSUING_EVENTS.includes(type))).to.deep.equal([]);
      });

  it('is refused after an event that disables its subject', async () => {
    const user = running.service().projections.users.findByName('ada') ?? expect.fail();
    for (const send of [redeem, exchangeExternal]) {
      const externalToken = await foreignTokenFor(running);
      const disable = () => running.service().accounts.disable(user, OPERATOR);
      const [{ status }] = await racing.runBehind(disable, GRANT, () => send(running, scene, externalToken));
      expect(status).to.equal(400);
      await running.service().accounts.enable(user, OPERATOR);
    }
    expect((await running.events()).some(({ type }) => type === 'AssertionRedeemed')).to.equal(false);
  });

  it('succeeds if the policy is replaced with an equal one, and is refused if the new policy is narrower', async () => {
    const { api, web, token } = scene;
    const exchangeOwn = (): Promise<TestResponse> => exchange(running, api, token);
    const replace = (modes: readonly string[]) => async () => allowExchange(running, api, web, { modes });
    const [success] = await racing.runBehind(replace(['impersonation']), GRANT, exchangeOwn);
    expect(success.status).to.equal(200);
    const [refusal] = await racing.runBehind(replace(['delegation']), GRANT, exchangeOwn);
    expect(refusal.status).to.equal(400);
  });
});

for (const [engine, start] of [
  ['memory', async () => ({ running: await runningService(), close: undefined })],
  ['LevelDB', startRacingService],
] as const) {
  describe(`Requests that overlap with the loss of their permission on a log in ${engine}`, function () {
    this.timeout(60_000);
    const ROUNDS = 12;

    it('are recorded before the trust in the issuer ends or not at all, and leave no valid token', async () => {
      const { running, close } = await start();
      const scene = await createScene(running);
      await running.addUser('bob');
      const tokens: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        if (round > 0) await trust(running, scene.api);
        const [assertion, subjectToken, actorToken] = [
          await foreignTokenFor(running),
          await foreignTokenFor(running),
          await foreignTokenFor(running, 'bob'),
        ];
        const earlierToken = await exchangeForToken(running, scene.api, await foreignTokenFor(running), JWT);
        const pendingResponses = [
          redeem(running, scene, assertion),
          exchangeExternal(running, scene, subjectToken),
          actWithExternal(running, scene, actorToken),
        ];
        if (round % 2 === 1) await Promise.race(pendingResponses);
        await distrust(running);
        const successes = (await Promise.all(pendingResponses)).filter(({ status }) => status === 200);
        tokens.push(earlierToken, ...successes.map(expectAccessToken));
      }
      for (const token of tokens) expect(await isAccepted(running, token)).to.equal(false);
      expect(await findViolations(running)).to.deep.equal([]);
      let isTrusted = false;
      for (const { type, data } of (await running.events()).map(decodeEvent)) {
        if (type === 'TrustedIssuerSet') isTrusted = true;
        if (type === 'TrustedIssuerRemoved') isTrusted = false;
        const issuers = type === 'AssertionRedeemed' ? [data.issuer] : type === 'TokenExchanged' ? issuersOf(data) : [];
        expect(isTrusted || issuers.length === 0, `${type} without trust`).to.equal(true);
      }
      await (close ?? running.close)();
    });

    it('are recorded before the exchange policy ends or not at all', async () => {
      const { running, close } = await start();
      const scene = await createScene(running);
      const { api, web, token } = scene;
      for (let round = 0; round < ROUNDS; round += 1) {
        if (round > 0) await allowExchange(running, api, web);
        const actor = await ownToken(running, api);
        const pendingResponses = [
          exchange(running, api, token),
          exchange(running, api, token, { actor }),
          exchange(running, api, token),
        ];
        if (round % 2 === 1) await Promise.race(pendingResponses);
        await removePolicy(running, scene);
        await Promise.all(pendingResponses);
      }
      expect(await findViolations(running)).to.deep.equal([]);
      let [isAllowed, exchangeCount] = [false, 0];
      for (const { type } of await running.events()) {
        if (type === 'ExchangePolicySet') isAllowed = true;
        if (type === 'ExchangePolicyRemoved') isAllowed = false;
        if (type !== 'TokenExchanged') continue;
        exchangeCount += 1;
        expect(isAllowed, 'an exchange without a policy').to.equal(true);
      }
      expect(exchangeCount).to.be.greaterThan(0);
      await (close ?? running.close)();
    });
  });
}
