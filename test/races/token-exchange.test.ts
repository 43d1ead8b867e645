import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { decodeEvent } from '../../src/domain/events.ts';
import { grantIdOfToken } from '../../src/domain/token-exchange.ts';
import { START } from '../../src/event-store/event-log.ts';
import { authorizePath, openSession } from '../support/authorize-requests.ts';
import { hiddenFields } from '../support/browser-session.ts';
import { isAccepted } from '../support/protocol-responses.ts';
import { startRacingService } from '../support/racing-service.ts';
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
  ownToken,
  userTokens,
} from '../support/token-exchange.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const GRANT = /^grant-/;

/** A user's token that was issued to `web` and exchanged by `api`. `mid` can exchange the resulting token. */
interface Chain {
  readonly web: TestClient;
  readonly api: TestClient;
  readonly mid: TestClient;
  readonly ada: TestUser;
  readonly root: string;
  readonly token: string;
  readonly actor: string;
}

async function createChain(running: RunningService): Promise<Chain> {
  const web = await running.addClient({ name: 'Web' });
  const exchangerOptions = { grantTypes: ['token-exchange', 'client-credentials'], redirectUris: [] } as const;
  const [api, mid] = [
    await running.addClient({ name: 'Api', ...exchangerOptions }),
    await running.addClient({ name: 'Mid', ...exchangerOptions }),
  ];
  await allowExchange(running, api, web);
  await allowExchange(running, mid, api);
  const ada = await running.addUser('ada');
  const { access: root } = await userTokens(running, web, ada, { scope: 'read' });
  const token = await exchangeForToken(running, api, root);
  return { web, api, mid, ada, root, token, actor: await ownToken(running, mid) };
}

const revoke = (running: RunningService, client: TestClient, token: string): Promise<TestResponse> =>
  running.post('/o/revoke_token/', { token }, { authorization: client.basic });

/** Returns an audit's findings and notices, including exchanges that were recorded after a grant above them ended. */
async function findViolations(running: RunningService): Promise<readonly unknown[]> {
  const findings: unknown[] = [];
  for await (const item of audit(running.log.readAll(START))) if ('rule' in item) findings.push(item);
  return findings;
}

const countExchanges = async (running: RunningService): Promise<number> =>
  (await running.events()).filter(({ type }) => type === 'TokenExchanged').length;

describe('An exchange in flight', () => {
  let racing: Awaited<ReturnType<typeof startRacingService>>;
  let running: RunningService;
  let chain: Chain;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    chain = await createChain(running);
  });
  afterEach(async () => {
    expect(await findViolations(running), 'audit findings').to.deep.equal([]);
    await racing.close();
  });

  const account = () => running.service().projections.users.findByName('ada') ?? expect.fail();
  const findClientId = ({ id }: TestClient) =>
    running.service().projections.clients.find(id)?.clientId ?? expect.fail();
  const remove = (client: TestClient) => running.service().registration.remove(findClientId(client), OPERATOR);
  const disableClient = (client: TestClient) =>
    running.service().registration.setDisabled(findClientId(client), true, OPERATOR);
  async function removePolicy(): Promise<void> {
    const { projections, exchangePolicyRegistry } = running.service();
    await exchangePolicyRegistry.remove(
      projections.exchangePolicies.find(chain.mid.id, chain.api.id) ?? expect.fail(),
      OPERATOR,
    );
  }

  const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
    'the root grant is revoked': () => revoke(running, chain.web, chain.root),
    "the subject token's grant is revoked": () => revoke(running, chain.api, chain.token),
    "the actor token's grant is revoked": () => revoke(running, chain.mid, chain.actor),
    'the root client is removed': () => remove(chain.web),
    "the subject token's client is removed": () => remove(chain.api),
    'the root client is disabled': () => disableClient(chain.web),
    "the subject token's client is disabled": () => disableClient(chain.api),
    'the user is disabled': () => running.service().accounts.disable(account(), OPERATOR),
    'the user is erased': () => running.service().accounts.erase(account(), OPERATOR),
    'the policy is removed': removePolicy,
  };
  for (const [event, end] of Object.entries(ENDS)) {
    it(`is refused, and records nothing, if ${event} before the exchange is recorded`, async () => {
      const { mid, token, actor } = chain;
      const countBefore = await countExchanges(running);
      const [{ status, json }] = await racing.runBehind(end, GRANT, () => exchange(running, mid, token, { actor }));
      expect({ status, error: json?.['error'] }).to.deep.equal({ status: 400, error: 'invalid_request' });
      expect(await countExchanges(running)).to.equal(countBefore);
    });
  }

  it('is refused, and records nothing, if the session at the root ends before the exchange is recorded', async () => {
    const { web, api, ada } = chain;
    const browser = await openSession(running, ada);
    const consent = await browser.get(authorizePath(web, { scope: 'openid read' }));
    const { location } = await browser.submit(consent, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    const subjectToken = expectAccessToken(await running.token(web, redemption));
    const countBefore = await countExchanges(running);
    const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/')).html);
    const otherBrowser = running.browser({ cookie: browser.cookieHeader('/') });
    const logOut = () => otherBrowser.post('/accounts/logout/', { csrf_token });
    const [{ status }] = await racing.runBehind(logOut, GRANT, () => exchange(running, api, subjectToken));
    expect(status).to.equal(400);
    expect(await countExchanges(running)).to.equal(countBefore);
  });

  it("succeeds if the subject token's grant is refreshed during the request", async () => {
    const { web, api, ada } = chain;
    const { access, refresh } = await userTokens(running, web, ada, { scope: 'read' });
    const [response] = await racing.runBehind(
      () => running.token(web, { grant_type: 'refresh_token', refresh_token: refresh }),
      GRANT,
      () => exchange(running, api, access),
    );
    expect(await isAccepted(running, expectAccessToken(response))).to.equal(true);
  });
});

for (const [engine, start] of [
  ['memory', async () => ({ running: await runningService(), close: undefined })],
  ['LevelDB', startRacingService],
] as const) {
  describe(`Exchanges that overlap with the revocation of their chain on a log in ${engine}`, function () {
    this.timeout(60_000);

    it('are recorded before the revocation or not at all, and leave no valid token', async () => {
      const { running, close } = await start();
      const { web, api, mid, ada } = await createChain(running);
      const tokens: string[] = [];
      for (let round = 0; round < 60; round += 1) {
        const { access } = await userTokens(running, web, ada, { scope: 'read' });
        const apiToken = await exchangeForToken(running, api, access);
        const requests: (() => Promise<TestResponse>)[] = [
          () => exchange(running, mid, apiToken),
          () => exchange(running, api, access),
          () => exchange(running, mid, apiToken),
        ];
        requests.splice(round % 4, 0, () => revoke(running, web, access));
        const responses = await Promise.all(requests.map(async (send) => send()));
        tokens.push(
          apiToken,
          ...responses.filter(({ status, json }) => status === 200 && json !== undefined).map(expectAccessToken),
        );
      }
      for (const token of tokens) expect(await isAccepted(running, token)).to.equal(false);
      expect(await findViolations(running)).to.deep.equal([]);
      expectNoLateExchanges(await running.events());
      await (close ?? running.close)();
    });
  });
}

/** Expects every exchange to be recorded before any grant above it is revoked. */
function expectNoLateExchanges(events: Awaited<ReturnType<RunningService['events']>>): void {
  const endedStreams = new Set<string>();
  const parents = new Map<string, string>();
  for (const event of events) {
    const { type, data } = decodeEvent(event);
    if (type === 'GrantRevoked') endedStreams.add(event.stream);
    if (type !== 'TokenExchanged') continue;
    parents.set(event.stream, `grant-${grantIdOfToken(data.parent)}`);
    for (let ancestor = parents.get(event.stream); ancestor !== undefined; ancestor = parents.get(ancestor))
      expect(
        endedStreams.has(ancestor),
        `the exchange at position ${event.position} after ${ancestor} was revoked`,
      ).to.equal(false);
  }
  expect(parents.size).to.be.greaterThan(60);
}
