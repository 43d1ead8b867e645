import { expect } from 'chai';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import { REDIRECT_URI, type TestClient, type TestUser } from '../support/running-service.ts';

const CODE_SECONDS = 4;
const ACCESS_SECONDS = 8;
const REFRESH_SECONDS = 20;
const REUSE_SECONDS = 3;

/** All lifetimes except that of refresh tokens are shorter than the clock error. */
describe('nodes whose clocks are off by up to ten seconds', () => {
  let cluster: Cluster;
  let fast: ClusterNode;
  let slow: ClusterNode;
  let client: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    cluster = await runningCluster(3, {
      clockErrors: [10, -10, 0],
      settings: {
        authorizationCodeLifetimeSeconds: CODE_SECONDS,
        accessTokenLifetimeSeconds: ACCESS_SECONDS,
        refreshTokenLifetimeSeconds: REFRESH_SECONDS,
        refreshReuseWindowSeconds: REUSE_SECONDS,
      },
    });
    [fast, slow] = cluster.nodes as unknown as [ClusterNode, ClusterNode];
    client = await fast.addClient();
    user = await fast.addUser();
  });
  afterEach(() => cluster.close());

  const pairs = (): readonly (readonly [ClusterNode, ClusterNode])[] =>
    cluster.nodes.flatMap((first) => cluster.nodes.map((second) => [first, second] as const));
  const requestTokens = async (node: ClusterNode) =>
    (await node.token(client, { grant_type: 'password', ...user })).json ?? {};
  const redeem = async (node: ClusterNode, code: string) =>
    (await node.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI })).status;
  const refresh = (node: ClusterNode, token: unknown) =>
    node.token(client, { grant_type: 'refresh_token', refresh_token: String(token) });
  const introspect = async (node: ClusterNode, token: unknown) =>
    (await node.post('/o/introspect/', { token: String(token) }, { authorization: client.basic })).json ?? {};

  it("redeem each other's codes until they expire", async () => {
    for (const [issuer, redeemer] of pairs()) {
      const [code, expiredCode] = [await issuer.authorize(client, user), await issuer.authorize(client, user)];
      cluster.clock.advance(CODE_SECONDS - 1);
      expect(await redeem(redeemer, code)).to.equal(200);
      cluster.clock.advance(1);
      expect(await redeem(redeemer, expiredCode)).to.equal(400);
    }
  });

  it("accept each other's access tokens until they expire, and agree on their times", async () => {
    for (const [issuer, reader] of pairs()) {
      const issuedAt = Math.floor(cluster.clock.now() / 1000);
      const token = (await requestTokens(issuer))['access_token'];
      const { iat, exp } = await introspect(reader, token);
      expect([iat, exp]).to.deep.equal([issuedAt, issuedAt + ACCESS_SECONDS]);
      cluster.clock.advance(ACCESS_SECONDS - 1);
      expect((await introspect(reader, token))['active']).to.equal(true);
      cluster.clock.advance(1);
      expect((await introspect(reader, token))['active']).to.equal(false);
    }
  });

  it("refresh each other's tokens until they expire, and repeat responses within the reuse window", async () => {
    for (const [issuer, refresher] of pairs()) {
      const first = (await requestTokens(issuer))['refresh_token'];
      cluster.clock.advance(REFRESH_SECONDS - 1);
      const response = await refresh(refresher, first);
      expect(response.status, response.text).to.equal(200);
      cluster.clock.advance(REUSE_SECONDS - 1);
      expect((await refresh(issuer, first)).text).to.equal(response.text);
      cluster.clock.advance(1);
      expect((await refresh(issuer, first)).status).to.equal(400);
      const expiredToken = (await requestTokens(issuer))['refresh_token'];
      cluster.clock.advance(REFRESH_SECONDS);
      expect((await refresh(refresher, expiredToken)).status).to.equal(400);
    }
  });

  it('record times by the storage clock, and no node considers its own clock behind the log', async () => {
    await requestTokens(fast);
    await requestTokens(slow);
    const events = await slow.events();
    expect(new Set(events.map(({ recordedAt }) => recordedAt))).to.deep.equal(new Set([cluster.clock.now()]));
    for (const node of cluster.nodes) {
      node.view.deliver();
      expect((await node.get('/metrics')).text).to.match(/^grantlog_clock_behind_seconds 0$/m);
    }
    expect((await fast.get('/metrics')).text).to.match(/^grantlog_clock_offset_seconds -10$/m);
    expect((await slow.get('/metrics')).text).to.match(/^grantlog_clock_offset_seconds 10$/m);
  });
});
