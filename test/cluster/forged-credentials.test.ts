import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { mintId, mintNonce, withChecksum } from '../../src/oauth/credentials/credentials.ts';
import { createRefreshTokens } from '../../src/oauth/credentials/refresh-tokens.ts';
import { createTaggedCredentials } from '../../src/oauth/credentials/tagged-credentials.ts';
import type { GrantId } from '../../src/domain/values.ts';
import { runningCluster, type Cluster } from '../support/cluster.ts';
import { REDIRECT_URI, type TestClient, type TestUser } from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';

/** Most are well-formed and have correct checksums: only their tags or signatures show that they are forged. */
describe('a forged credential', () => {
  const entropy = seededEntropy('forger');
  const grantId = mintId<GrantId>(entropy);
  const key = createSecretKey(Buffer.alloc(32, 9));
  const otherKeyCredentials = createTaggedCredentials(key);
  const random = (): string => entropy.bytes(32).toString('base64url');
  let cluster: Cluster;
  let client: TestClient;
  let user: TestUser;

  before(async () => {
    cluster = await runningCluster(2);
    const [node] = cluster.nodes;
    client = (await node?.addClient({ accessTokenFormat: 'jwt' })) as TestClient;
    user = (await node?.addUser()) as TestUser;
    cluster.deliver();
  });
  after(() => cluster.close());

  async function countCatchUps(action: (node: Cluster['nodes'][number]) => Promise<unknown>): Promise<number> {
    const node = cluster.nodes[1] as Cluster['nodes'][number];
    const catchUpsBefore = node.view.catchUpCount();
    await action(node);
    return node.view.catchUpCount() - catchUpsBefore;
  }

  /** A JWT from this server whose contents were changed after signing. */
  async function forgeChangedJwt(): Promise<string> {
    const response = await cluster.nodes[0]?.token(client, { grant_type: 'password', ...user });
    cluster.deliver();
    const [header = '', payload = '', signature = ''] = String(response?.json?.['access_token']).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const changedPayload = Buffer.from(JSON.stringify({ ...claims, jti: 'other' })).toString('base64url');
    return [header, changedPayload, signature].join('.');
  }

  const accessTokens: Readonly<Record<string, () => string | Promise<string>>> = {
    'without a tag': () => withChecksum(`gla_${random()}`).value,
    'with the tag of another key': () => otherKeyCredentials.mintAccessToken(entropy).value,
    'as a JWT with changed contents': forgeChangedJwt,
    'as a malformed JWT': () => `${Buffer.from('{"kid":1}').toString('base64url')}.eyJ9.${'s'.repeat(86)}`,
  };
  for (const [flaw, forge] of Object.entries(accessTokens)) {
    it(`is refused without a catch-up: an access token ${flaw}`, async () => {
      const token = await forge();
      const count = await countCatchUps(async (node) => {
        expect((await node.get('/users/', { authorization: `Bearer ${token}` })).status).to.equal(401);
        const asClient = { authorization: client.basic };
        expect((await node.post('/o/introspect/', { token }, asClient)).json).to.deep.equal({ active: false });
        expect((await node.post('/o/revoke_token/', { token }, asClient)).status).to.equal(200);
        expect((await node.post('/o/introspect/', { token }, { authorization: `Bearer ${token}` })).status).to.equal(
          401,
        );
      });
      expect(count).to.equal(0);
    });
  }

  const codes = {
    'without a tag': () => withChecksum(`glc_${grantId}${random()}`).value,
    'with the tag of another key': () => otherKeyCredentials.deriveCode(mintNonce(entropy)).code.value,
  };
  for (const [flaw, forge] of Object.entries(codes)) {
    it(`is refused without a catch-up: a code ${flaw}`, async () => {
      const count = await countCatchUps(async (node) => {
        const parameters = { grant_type: 'authorization_code', code: forge(), redirect_uri: REDIRECT_URI };
        expect((await node.token(client, parameters)).json).to.include({ error: 'invalid_grant' });
      });
      expect(count).to.equal(0);
    });
  }

  const refreshTokens = {
    'without a tag': () => withChecksum(`glr_${grantId}${random()}`).value,
    'with the tag of another key': () => createRefreshTokens(key).mint(grantId, entropy).value,
  };
  for (const [flaw, forge] of Object.entries(refreshTokens)) {
    it(`is refused without a catch-up: a refresh token ${flaw}`, async () => {
      const token = forge();
      const count = await countCatchUps(async (node) => {
        const parameters = { grant_type: 'refresh_token', refresh_token: token };
        expect((await node.token(client, parameters)).json).to.include({ error: 'invalid_grant' });
        const asClient = { authorization: client.basic };
        expect((await node.post('/o/introspect/', { token }, asClient)).json).to.deep.equal({ active: false });
        expect((await node.post('/o/revoke_token/', { token }, asClient)).status).to.equal(200);
      });
      expect(count).to.equal(0);
    });
  }

  it('is unlike a genuine credential from another node, which causes a catch-up', async () => {
    const response = await cluster.nodes[0]?.token(client, { grant_type: 'password', ...user });
    const authorization = `Bearer ${String(response?.json?.['access_token'])}`;
    const count = await countCatchUps(async (node) => {
      expect((await node.get('/users/', { authorization })).status).to.equal(200);
      expect((await node.get('/users/', { authorization })).status).to.equal(200);
    });
    expect(count).to.equal(1);
  });

  it('is treated like a revoked credential, which causes no catch-up', async () => {
    const response = await cluster.nodes[0]?.token(client, { grant_type: 'password', ...user });
    const token = String(response?.json?.['access_token']);
    await cluster.nodes[0]?.post('/o/revoke_token/', { token }, { authorization: client.basic });
    cluster.deliver();
    const count = await countCatchUps(async (node) => {
      expect((await node.get('/users/', { authorization: `Bearer ${token}` })).status).to.equal(401);
    });
    expect(count).to.equal(0);
  });
});
