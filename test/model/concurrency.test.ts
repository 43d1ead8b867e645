import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientId, EpochSeconds } from '../../src/domain/values.ts';
import { openLevelLog } from '../../src/event-store/engines/level.ts';
import type { ParameterName } from '../../src/config/input-limits.ts';
import { OAuthError } from '../../src/oauth/endpoints/errors.ts';
import type { Parameters } from '../../src/oauth/endpoints/parameters.ts';
import { anyNode } from '../support/any-node.ts';
import {
  REDIRECT_URI,
  runningService,
  type TestResponse,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../support/running-service.ts';
import { requestTokens } from '../support/client-requests.ts';

const MANY_REQUESTS = 50;
const VERY_MANY_REQUESTS = 10_000;
/** More microtask turns than any token request takes on an engine without a disk. */
const MAX_TURNS = 25;
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('concurrent requests', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'grantlog-crowd-'));
  });
  after(() => rm(directory, { recursive: true }));

  let logCount = 0;
  const openLevel = () => openLevelLog({ location: join(directory, String((logCount += 1))) });
  describeConcurrency('on the memory engine', () => runningService());
  describeConcurrency('on the LevelDB engine', async () => runningService({ log: await openLevel() }));
  describeConcurrency('to random nodes of a three-node cluster', () => anyNode(3, (logCount += 1)));
});

function describeConcurrency(title: string, start: () => Promise<RunningService>): void {
  describe(title, () => {
    let running: RunningService;
    let client: TestClient;
    let owner: TestUser;

    beforeEach(async () => {
      running = await start();
      client = await running.addClient();
      owner = await running.addUser();
    });
    afterEach(() => running.close());

    const requestWithPassword = (): Promise<TestResponse> =>
      running.token(client, { grant_type: 'password', ...owner });

    const refresh = (previous: TestResponse | undefined): Promise<TestResponse> =>
      running.token(client, { grant_type: 'refresh_token', refresh_token: String(previous?.json?.['refresh_token']) });

    async function countEvents(type: string): Promise<number> {
      return (await running.events()).filter((event) => event.type === type).length;
    }

    async function fetchStatus(accessToken: unknown): Promise<number> {
      return (await running.get('/users/', { authorization: `Bearer ${String(accessToken)}` })).status;
    }

    async function isRefreshTokenActive(token: unknown): Promise<unknown> {
      const { json } = await running.post('/o/introspect/', { token: String(token) }, { authorization: client.basic });
      return json?.['active'];
    }

    it('redeem a code only once, and a second redemption revokes the tokens (RFC 6749 §4.1.2)', async () => {
      const code = await running.authorize(client, owner);
      const responses = await sendMany(() =>
        running.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }),
      );
      const [winner, ...otherWinners] = responses.filter(({ status }) => status === 200);
      expect(otherWinners).to.deep.equal([]);
      const refusals = responses
        .filter((response) => response !== winner)
        .map(({ status, json }) => `${status} ${String(json?.['error'])}`);
      expect(refusals).to.deep.equal(Array.from({ length: MANY_REQUESTS - 1 }, () => '400 invalid_grant'));
      for (const type of ['AuthorizationCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued', 'GrantRevoked']) {
        expect(await countEvents(type), type).to.equal(1);
      }
      expect(await fetchStatus(winner?.json?.['access_token'])).to.equal(401);
      expect(await isRefreshTokenActive(winner?.json?.['refresh_token'])).to.equal(false);
    });

    it('rotate a refresh token only once, and all get the same response', async () => {
      const passwordResponse = await requestWithPassword();
      const responses = await sendMany(() =>
        running.token(client, {
          grant_type: 'refresh_token',
          refresh_token: String(passwordResponse.json?.['refresh_token']),
        }),
      );
      expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(responses.map(({ text }) => text))).to.have.property('size', 1);
      expect(await countEvents('RefreshTokenRotated')).to.equal(1);
      expect(await countEvents('AccessTokenIssued')).to.equal(2); // one from the password grant, one from the rotation
      expect(await countEvents('GrantRevoked')).to.equal(0);
      expect(await fetchStatus(responses[0]?.json?.['access_token'])).to.equal(200);
      expect(await isRefreshTokenActive(responses[0]?.json?.['refresh_token'])).to.equal(true);
      expect(await isRefreshTokenActive(passwordResponse.json?.['refresh_token'])).to.equal(false);
    });

    it(`cause only one rotation and one response for ${VERY_MANY_REQUESTS} refreshes with one token`, async () => {
      const passwordResponse = await requestWithPassword();
      const request = { grant_type: 'refresh_token', refresh_token: String(passwordResponse.json?.['refresh_token']) };
      const responses = await sendMany(() => requestDirectly(request), VERY_MANY_REQUESTS);
      expect(new Set(responses.map((response) => JSON.stringify(response)))).to.have.property('size', 1);
      expect(await countEvents('RefreshTokenRotated')).to.equal(1);
    });

    it('revoke the grant and all concurrent tokens with one event if a rotated refresh token is reused', async () => {
      const firstResponse = await requestWithPassword();
      const secondResponse = await refresh(firstResponse);
      const thirdResponse = await refresh(secondResponse);
      const tokens = [firstResponse, secondResponse, thirdResponse];
      const responses = await sendMany((index) => refresh(tokens[index % tokens.length]));
      expect(await countEvents('GrantRevoked')).to.equal(1);
      expect(
        responses.filter((_, index) => index % tokens.length === 0).map(({ json }) => json?.['error']),
      ).to.have.members(Array.from({ length: Math.ceil(MANY_REQUESTS / 3) }, () => 'invalid_grant'));
      for (const { json } of [...tokens, ...responses]) {
        if (json?.['access_token'] === undefined) continue;
        expect(await fetchStatus(json['access_token'])).to.equal(401);
        expect(await isRefreshTokenActive(json['refresh_token'])).to.equal(false);
      }
    });

    it('register a user name only once', async () => {
      const { json } = await requestWithPassword();
      const headers = { authorization: `Bearer ${String(json?.['access_token'])}` };
      const responses = await sendMany((index) =>
        running.post('/users/', { username: 'highlander', password: `password ${index}` }, headers),
      );
      const winners = responses.filter(({ status }) => status === 201);
      expect(winners).to.have.length(1);
      const refusals = responses.filter(({ status }) => status !== 201);
      expect(new Set(refusals.map(({ status, text }) => `${status} ${text}`))).to.deep.equal(
        new Set(['400 {"username":["A user with that username already exists."]}']),
      );
      const password = `password ${responses.findIndex(({ status }) => status === 201)}`;
      expect(await running.token(client, { grant_type: 'password', username: 'highlander', password })).to.include({
        status: 200,
      });
    });

    it('revoke a grant with one event', async () => {
      const { json } = await requestWithPassword();
      const tokens = [json?.['access_token'], json?.['refresh_token']].map(String);
      const responses = await sendMany((index) =>
        running.post('/o/revoke_token/', { token: tokens[index % 2] ?? '' }, { authorization: client.basic }),
      );
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`))).to.deep.equal(new Set(['200 ']));
      expect(await countEvents('GrantRevoked')).to.equal(1);
      expect(await fetchStatus(tokens[0])).to.equal(401);
    });

    it('create only one first administrator', async () => {
      const token = running.service().setup.token() ?? '';
      const forms = await sendMany(async () => {
        const browser = running.browser();
        return { browser, page: await browser.get(`/accounts/setup/?token=${token}`) };
      }, 10);
      const responses = await Promise.all(
        forms.map(({ browser, page }, index) =>
          browser.submit(page, { username: `administrator${index}`, password: 'correct horse battery' }),
        ),
      );
      expect(responses.map(({ status }) => status)).to.have.members([302, ...Array.from({ length: 9 }, () => 404)]);
      const administrators = running
        .service()
        .projections.users.all()
        .filter(({ roles }) => roles.includes('administrator'));
      expect(administrators).to.have.length(1);
      expect(running.service().setup.token()).to.equal(undefined);
    });

    it('leave no token valid if its user is disabled at any time, even after the user is enabled again', async () => {
      for (let turns = 0; turns <= MAX_TURNS; turns += 1) {
        await addClientAndOwner();
        const tokens = await requestTokensAround(turns, async () =>
          running.service().accounts.disable(findOwner(), OPERATOR),
        );
        await running.service().accounts.enable(findOwner(), OPERATOR);
        await expectAllInvalid(tokens, turns);
      }
    });

    it('leave no token valid if its client is removed at any time', async () => {
      for (let turns = 0; turns <= MAX_TURNS; turns += 1) {
        await addClientAndOwner();
        const tokens = await requestTokensAround(
          turns,
          () => running.service().registration.remove(client.id as ClientId, OPERATOR),
          {
            grant_type: 'client_credentials',
          },
        );
        await expectAllInvalid(tokens, turns);
      }
    });

    async function addClientAndOwner(): Promise<void> {
      client = await running.addClient();
      owner = await running.addUser();
    }

    /** Sends requests of each kind, and calls `end` after some microtask turns. Returns the access tokens. */
    async function requestTokensAround(
      turns: number,
      end: () => Promise<void>,
      ...additionalRequests: readonly Readonly<Record<string, string>>[]
    ): Promise<readonly string[]> {
      const initialTokens = (await requestWithPassword()).json;
      const code = await running.authorize(client, owner);
      const requests: readonly Readonly<Record<string, string>>[] = [
        { grant_type: 'password', ...owner },
        { grant_type: 'refresh_token', refresh_token: String(initialTokens?.['refresh_token']) },
        { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI },
        ...additionalRequests,
      ];
      const responses = requests.map((parameters) => requestDirectly(parameters));
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await end();
      const results = await Promise.allSettled(responses);
      for (const response of results)
        if (response.status === 'rejected') expect(response.reason).to.be.instanceOf(OAuthError);
      return [
        String(initialTokens?.['access_token']),
        ...results.flatMap((response) => (response.status === 'fulfilled' ? [response.value.access_token] : [])),
      ];
    }

    async function expectAllInvalid(accessTokens: readonly string[], turns: number): Promise<void> {
      for (const token of accessTokens) expect(await fetchStatus(token), `after ${turns} turns`).to.equal(401);
      const listedGrants = running
        .service()
        .projections.grants.listByUser(findOwner().userId, running.clock.now() / 1000);
      expect(listedGrants, `on the owner's page after ${turns} turns`).to.deep.equal([]);
    }

    function findOwner() {
      const user = running.service().projections.users.findByName(owner.username);
      if (user === undefined) throw new Error('the owner does not exist');
      return user;
    }

    /** Sends a token request without a socket. */
    function requestDirectly(parameters: Readonly<Partial<Record<ParameterName, string>>>) {
      const now = Math.floor(running.clock.now() / 1000) as EpochSeconds;
      return requestTokens(running.service(), {
        parameters: new Map(Object.entries(parameters)) as Parameters,
        address: '192.0.2.1',
        authorization: client.basic,
        requestMetadata: { requestId: 'crowd' },
        now: () => now,
      });
    }
  });
}

function sendMany<T>(act: (index: number) => Promise<T>, size = MANY_REQUESTS): Promise<T[]> {
  return Promise.all(Array.from({ length: size }, (_, index) => act(index)));
}
