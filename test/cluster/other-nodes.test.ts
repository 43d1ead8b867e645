import { expect } from 'chai';
import type { ClientId } from '../../src/domain/values.ts';
import { browserSession } from '../support/browser-session.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import { REDIRECT_URI, type TestClient, type TestUser } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/** Nodes receive events only when a test calls `deliver`, so each node must catch up by itself. */
describe('a node that has not yet read the events of another node', () => {
  let cluster: Cluster;
  let a: ClusterNode;
  let b: ClusterNode;
  let c: ClusterNode;
  let client: TestClient;
  let user: TestUser;

  beforeEach(async () => {
    cluster = await runningCluster(3);
    [a, b, c] = cluster.nodes as unknown as [ClusterNode, ClusterNode, ClusterNode];
    client = await a.addClient();
    user = await a.addUser();
    cluster.deliver();
  });
  afterEach(() => cluster.close());

  const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
  const requestTokens = (node: ClusterNode) => node.token(client, { grant_type: 'password', ...user });
  const refresh = (node: ClusterNode, token: unknown) =>
    node.token(client, { grant_type: 'refresh_token', refresh_token: String(token) });
  const redeem = (node: ClusterNode, code: string) =>
    node.token(client, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI });
  const introspect = async (node: ClusterNode, token: unknown) =>
    (await node.post('/o/introspect/', { token: String(token) }, { authorization: client.basic })).json?.['active'];
  const revoke = (node: ClusterNode, token: unknown) =>
    node.post('/o/revoke_token/', { token: String(token) }, { authorization: client.basic });

  it('redeems a code once', async () => {
    const code = await a.authorize(client, user);
    const response = await redeem(b, code);
    expect(response.status, response.text).to.equal(200);
    expect((await redeem(c, code)).json).to.include({ error: 'invalid_grant' });
    expect((await a.get('/users/', bearer(response.json?.['access_token']))).status).to.equal(401);
  });

  for (const accessTokenFormat of ['opaque', 'jwt'] as const) {
    it(`accepts, introspects and revokes a token: ${accessTokenFormat}`, async () => {
      client = await a.addClient({ accessTokenFormat });
      const { json } = await requestTokens(a);
      expect((await b.get('/users/', bearer(json?.['access_token']))).status).to.equal(200);
      expect(await introspect(c, json?.['access_token'])).to.equal(true);
      const otherTokens = (await requestTokens(a)).json;
      expect((await revoke(b, otherTokens?.['access_token'])).status).to.equal(200);
      expect((await a.events()).at(-1)?.type).not.to.equal('GrantRevoked');
      a.view.deliver();
      expect((await a.events()).at(-1)?.type).to.equal('GrantRevoked');
      expect((await a.get('/users/', bearer(otherTokens?.['access_token']))).status).to.equal(401);
    });
  }

  it('rotates refresh tokens, repeats a lost response and detects reuse', async () => {
    const first = (await requestTokens(a)).json?.['refresh_token'];
    const second = await refresh(b, first);
    expect(second.status, second.text).to.equal(200);
    expect(await introspect(c, second.json?.['refresh_token'])).to.equal(true);
    expect((await refresh(a, first)).text, 'a repeated response').to.equal(second.text);
    const third = await refresh(a, second.json?.['refresh_token']);
    expect(third.status, third.text).to.equal(200);
    expect(await introspect(b, third.json?.['refresh_token'])).to.equal(true);
    expect(await introspect(b, second.json?.['refresh_token'])).to.equal(false);
    expect((await refresh(c, first)).json, 'reuse').to.include({ error: 'invalid_grant' });
    expect((await refresh(b, third.json?.['refresh_token'])).json).to.include({ error: 'invalid_grant' });
  });

  it('refuses a revoked token as soon as it has read the revocation', async () => {
    const { json } = await requestTokens(a);
    cluster.deliver();
    expect(await introspect(b, json?.['refresh_token'])).to.equal(true);
    expect((await revoke(a, json?.['access_token'])).status).to.equal(200);
    cluster.deliver();
    for (const node of cluster.nodes) {
      expect((await node.get('/users/', bearer(json?.['access_token']))).status).to.equal(401);
      expect(await introspect(node, json?.['access_token'])).to.equal(false);
      expect(await introspect(node, json?.['refresh_token'])).to.equal(false);
      expect((await refresh(node, json?.['refresh_token'])).json).to.include({ error: 'invalid_grant' });
    }
  });

  it("accepts a client's new secret, and refuses the previous secret", async () => {
    const secret = await a.service().registration.rotateSecret(client.id as ClientId, OPERATOR);
    const basic = `Basic ${Buffer.from(`${client.id}:${String(secret)}`).toString('base64')}`;
    expect((await b.token({ ...client, basic }, { grant_type: 'client_credentials' })).status).to.equal(200);
    expect((await b.token(client, { grant_type: 'client_credentials' })).status).to.equal(401);
  });

  it('finds a client and a user', async () => {
    const newClient = await a.addClient();
    expect((await b.token(newClient, { grant_type: 'client_credentials' })).status).to.equal(200);
    const newUser = await a.addUser();
    expect((await b.token(newClient, { grant_type: 'password', ...newUser })).status).to.equal(200);
    const { json } = await requestTokens(a);
    const { status, text } = await c.get('/users/2/', bearer(json?.['access_token']));
    expect(status).to.equal(200);
    expect(text).to.include(newUser.username);
  });

  it('finds a session, a consent and a logout', async () => {
    let node = a;
    const browser = browserSession(() => node.origin());
    await browser.logIn(user.username, user.password);
    node = b;
    const query = new URLSearchParams({ response_type: 'code', client_id: client.id, redirect_uri: REDIRECT_URI });
    const consent = await browser.get(`/o/authorize/?${query.toString()}`);
    node = c;
    const { location } = await browser.submit(consent, { allow: 'Authorize' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    node = a;
    expect((await redeem(a, code)).status).to.equal(200);
    const tokensPage = await browser.get('/o/authorized_tokens/');
    expect(tokensPage.html).to.include(client.id);
    node = b;
    await browser.submit(tokensPage, {}, '/accounts/logout/');
    node = c;
    expect((await browser.get('/o/authorized_tokens/')).status).to.equal(302);
  });
});
