import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import { START } from '../../src/event-store/event-log.ts';
import { authorizePath } from '../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession } from '../support/browser-session.ts';
import { runningCluster, type Cluster, type ClusterNode } from '../support/cluster.ts';
import type { TestClient } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('On nodes that share a log', () => {
  let cluster: Cluster;
  let app: TestClient;

  beforeEach(async () => {
    cluster = await runningCluster(2);
    for (const name of ['ada', 'bob']) await node(0).addUser(name);
    cluster.deliver();
    app = await node(0).addClient({ owner: 'ada', grantTypes: ['authorization-code', 'password'] });
    cluster.deliver();
  });
  afterEach(async () => {
    cluster.deliver();
    const findings: unknown[] = [];
    for await (const item of audit(node(0).view.readAll(START))) if ('rule' in item) findings.push(item);
    expect(findings, 'an audit').to.deep.equal([]);
    await cluster.close();
  });

  const node = (index: number): ClusterNode => cluster.nodes[index] ?? expect.fail();
  const client = (server: ClusterNode) => server.service().projections.clients.find(app.id) ?? expect.fail();
  const account = (server: ClusterNode, name: string) =>
    server.service().projections.users.findByName(name) ?? expect.fail();
  const switchToTestMode = (server: ClusterNode) =>
    server.service().registration.update(client(server).clientId, { ...client(server), mode: 'test' }, OPERATOR);
  const addTestUser = (server: ClusterNode) =>
    server.service().memberships.add(client(server), account(server, 'bob'), 'test-user', OPERATOR);
  const requestTokens = (server: ClusterNode) =>
    server.token(app, { grant_type: 'password', username: 'bob', password: "bob's password" });

  async function logIn(server: ClusterNode, name: string): Promise<BrowserSession> {
    const browser = server.browser();
    await browser.logIn(name, `${name}'s password`);
    return browser;
  }

  it('a user who has become a test user on one node is not refused by another', async () => {
    await switchToTestMode(node(0));
    cluster.deliver();
    const token = String((await addTestUserAndRequestTokens(0)).json?.['refresh_token']);
    expect((await requestTokens(node(1))).status, 'a password').to.equal(200);
    const { status } = await node(1).token(app, { grant_type: 'refresh_token', refresh_token: token });
    expect(status, 'a refresh').to.equal(200);
  });

  it('a user who has become a test user on one node can open the consent page on another', async () => {
    const browser = await logIn(node(1), 'bob');
    await switchToTestMode(node(0));
    expect((await browser.get(authorizePath(app))).status).to.equal(403);
    await addTestUser(node(0));
    expect((await browser.get(authorizePath(app))).status).to.equal(200);
  });

  it('no node issues a token for a user who has been excluded on another node', async () => {
    await requestTokens(node(1));
    await switchToTestMode(node(0));
    expect((await requestTokens(node(1))).json).to.include({ error: 'unauthorized_client' });
  });

  it('an invitation works once across all nodes, and a removed owner loses access to the pages on each', async () => {
    const ada = await logIn(node(0), 'ada');
    const invitation = await node(0)
      .service()
      .memberships.invite(client(node(0)), 'owner', account(node(0), 'ada').userId);
    const bobsBrowsers = [await logIn(node(0), 'bob'), await logIn(node(1), 'bob')];
    const statuses: number[] = [];
    for (const browser of bobsBrowsers) {
      const { csrf_token = '' } = hiddenFields((await browser.get('/o/applications/register/')).html);
      statuses.push((await browser.post('/o/invitations/', { csrf_token, invitation })).status);
    }
    expect(statuses, 'the second acceptance changes nothing').to.deep.equal([302, 302]);
    const path = `/o/applications/${app.id}/`;
    expect((await bobsBrowsers[1]!.get(path)).status).to.equal(200);
    const { csrf_token = '' } = hiddenFields((await ada.get('/o/applications/register/')).html);
    await ada.post(`${path}people/${account(node(0), 'bob').id}/remove/`, { csrf_token });
    expect((await bobsBrowsers[1]!.get(path)).status).to.equal(404);
    const csrfToken = hiddenFields((await bobsBrowsers[1]!.get('/o/applications/register/')).html)['csrf_token'] ?? '';
    expect((await bobsBrowsers[1]!.post('/o/invitations/', { csrf_token: csrfToken, invitation })).status).to.equal(
      410,
    );
  });

  async function addTestUserAndRequestTokens(index: number) {
    await addTestUser(node(index));
    return requestTokens(node(index));
  }
});
