import { expect } from 'chai';
import { audit } from '../../src/audit/rules/auditor.ts';
import type { ClientMode, MemberRole } from '../../src/domain/values.ts';
import { START } from '../../src/event-store/event-log.ts';
import { authorizePath, openSession, parseRedirect } from '../support/authorize-requests.ts';
import { hiddenFields } from '../support/browser-session.ts';
import { REDIRECT_URI, runningService, type RunningService, type TestClient } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('An application in test mode', () => {
  let running: RunningService;
  let app: TestClient;

  beforeEach(async () => {
    running = await runningService();
    for (const name of ['ada', 'tess', 'bob']) await running.addUser(name);
    app = await running.addClient({ owner: 'ada', name: 'Engine', grantTypes: ['authorization-code', 'password'] });
    await addMember('tess', 'test-user');
  });
  afterEach(async () => {
    const auditFindings: unknown[] = [];
    for await (const item of audit(running.log.readAll(START))) if ('rule' in item) auditFindings.push(item);
    expect(auditFindings, 'audit findings').to.deep.equal([]);
    await running.close();
  });

  const user = (name: string) => ({ username: name, password: `${name}'s password` });
  const client = () => running.service().projections.clients.find(app.id)!;
  const account = (name: string) => running.service().projections.users.findByName(name)!;
  const addMember = (name: string, role: MemberRole) =>
    running.service().memberships.add(client(), account(name), role, OPERATOR);
  const switchTo = (mode: ClientMode) =>
    running.service().registration.update(client().clientId, { ...client(), mode }, OPERATOR);
  const requestPasswordToken = (name: string) =>
    running.token(app, { grant_type: 'password', ...user(name), scope: 'read' });
  const refresh = (refreshToken: string) =>
    running.token(app, { grant_type: 'refresh_token', refresh_token: refreshToken });
  const request = async (name: string, parameters: Readonly<Record<string, string>> = {}) =>
    (await openSession(running, user(name))).get(authorizePath(app, { state: 'xyz', ...parameters }));

  it('can be authorized by its owners and test users, who see that it is in test mode', async () => {
    await switchTo('test');
    for (const name of ['ada', 'tess']) {
      expect(await running.authorize(app, user(name))).to.match(/^glc_/);
      expect((await request(name)).html).to.include('Test mode');
      expect((await requestPasswordToken(name)).status).to.equal(200);
    }
  });

  it('cannot be authorized by other users, who get a page with a link that returns access_denied to it', async () => {
    await switchTo('test');
    const page = await request('bob');
    expect(page.status).to.equal(403);
    expect(page.html).to.include('is in test mode').and.include('bob');
    const redirect = new URL(
      /href="(https:\/\/app\.example[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '',
    );
    expect(redirect.searchParams.get('error')).to.equal('access_denied');
    expect(redirect.searchParams.get('state')).to.equal('xyz');
    const [explanation] = running.service().explanations.listByClient(app.id);
    expect(explanation).to.deep.include({ rule: 'client-in-test-mode', details: { what: 'authorization' } });
    const form = await request('bob', { response_mode: 'form_post' });
    expect(form.html).to.include(`action="${REDIRECT_URI}"`);
    expect(hiddenFields(form.html)).to.include({ error: 'access_denied', state: 'xyz' });
  });

  it('gets access_denied in a redirect if no page may be shown', async () => {
    await switchTo('test');
    const { parameters } = parseRedirect(await request('bob', { prompt: 'none' }));
    expect(parameters).to.include({ error: 'access_denied', state: 'xyz' });
  });

  it('gets no code from a consent page that was opened before the switch', async () => {
    const browser = await openSession(running, user('bob'));
    const consentPage = await browser.get(authorizePath(app));
    await switchTo('test');
    expect((await browser.submit(consentPage, { allow: 'Authorize' })).status).to.equal(403);
    expect((await running.events()).some(({ type }) => type === 'ConsentGiven')).to.equal(false);
  });

  it('gets no token for the password of another user, and the usual error for a wrong password', async () => {
    await switchTo('test');
    const refusal = await requestPasswordToken('bob');
    expect(refusal.json).to.include({ error: 'unauthorized_client' });
    const wrongPasswordResponse = await running.token(app, {
      grant_type: 'password',
      username: 'bob',
      password: 'wrong',
    });
    expect(wrongPasswordResponse.json).to.include({ error: 'invalid_grant' });
  });

  it('cannot redeem an earlier code of another user until it is live again', async () => {
    const code = await running.authorize(app, user('bob'));
    await switchTo('test');
    const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
    expect((await running.token(app, fields)).json).to.include({ error: 'unauthorized_client' });
    await switchTo('live');
    expect((await running.token(app, fields)).status).to.equal(200);
  });

  it('cannot refresh tokens of other users until it is live again, but their access tokens stay valid', async () => {
    const { json } = await requestPasswordToken('bob');
    const [token, accessToken] = [String(json?.['refresh_token']), String(json?.['access_token'])];
    await switchTo('test');
    expect((await refresh(token)).json).to.include({ error: 'unauthorized_client' });
    expect((await running.get('/users/', { authorization: `Bearer ${accessToken}` })).status).to.equal(200);
    await switchTo('live');
    expect((await refresh(token)).status).to.equal(200);
  });

  it('still detects a refresh token of another user that is used twice', async () => {
    const firstToken = String((await requestPasswordToken('bob')).json?.['refresh_token']);
    const secondToken = String((await refresh(firstToken)).json?.['refresh_token']);
    running.clock.advance(3_600);
    await switchTo('test');
    expect((await refresh(firstToken)).json).to.include({ error: 'invalid_grant' });
    await switchTo('live');
    expect((await refresh(secondToken)).json).to.include({ error: 'invalid_grant' });
  });

  it('serves a test user until they are removed', async () => {
    await switchTo('test');
    const token = String((await requestPasswordToken('tess')).json?.['refresh_token']);
    const next = await refresh(token);
    expect(next.status).to.equal(200);
    await running.service().memberships.remove(client(), account('tess').userId, OPERATOR);
    expect((await refresh(String(next.json?.['refresh_token']))).json).to.include({ error: 'unauthorized_client' });
    expect((await requestPasswordToken('tess')).json).to.include({ error: 'unauthorized_client' });
  });

  it('still gets tokens for itself with client credentials', async () => {
    const machineClient = await running.addClient({ owner: 'ada', grantTypes: ['client-credentials'] });
    const registeredClient = running.service().projections.clients.find(machineClient.id)!;
    await running
      .service()
      .registration.update(registeredClient.clientId, { ...registeredClient, mode: 'test' }, OPERATOR);
    expect((await running.token(machineClient, { grant_type: 'client_credentials' })).status).to.equal(200);
  });

  it('can be switched to that mode by its owners once they confirm', async () => {
    const ada = await openSession(running, user('ada'));
    const page = await ada.get(`/o/applications/${app.id}/mode/`);
    expect(page.html).to.include('Switch to test mode?');
    await ada.submit(page, {}, `/o/applications/${app.id}/mode/`);
    expect(client().mode).to.equal('test');
    await ada.submit(page, {}, `/o/applications/${app.id}/mode/`);
    expect(client().mode, 'the form submitted a second time').to.equal('test');
    expect((await ada.get(`/o/applications/${app.id}/`)).html).to.include('Test mode');
    expect((await ada.get('/o/applications/')).html).to.include('Test mode');
  });
});
