import { expect } from 'chai';
import { OperationRefused } from '../../../../src/operations/control/operation-refused.ts';
import { operate } from '../../../../src/operations/operations.ts';
import { openSession } from '../../../support/authorize-requests.ts';
import type { BrowserSession, Page } from '../../../support/browser-session.ts';
import { obtainCode, redeem, registerSuccessfully } from '../../../support/registrations.ts';
import {
  runningService,
  type RunningService,
  type TestClient,
  type TestUser,
} from '../../../support/running-service.ts';

const CALENDAR = 'https://calendar.example/mcp';
const FILES = 'https://files.example/mcp';
const PATH = '/accounts/agents/';

describe("A user's connected agents", () => {
  let running: RunningService;
  let ada: TestUser;
  let agent: TestClient;
  let app: TestClient;
  let browser: BrowserSession;

  beforeEach(async () => {
    running = await runningService({ settings: { resources: [CALENDAR, FILES] } });
    ada = await running.addUser('ada');
    agent = await running.addClient({ name: 'Helper' });
    app = await running.addClient({ name: 'Notes' });
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  async function issueToken(client: TestClient, extraParameters: Readonly<Record<string, string>> = {}, user = ada) {
    const { json } = await running.token(client, {
      grant_type: 'password',
      username: user.username,
      password: user.password,
      scope: 'read',
      ...extraParameters,
    });
    return { access: String(json?.['access_token']), refresh: String(json?.['refresh_token']) };
  }
  const refresh = async (client: TestClient, token: { readonly refresh: string }): Promise<number> =>
    (await running.token(client, { grant_type: 'refresh_token', refresh_token: token.refresh })).status;
  const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const rowsOf = ({ html }: Page): readonly string[] =>
    html
      .split('<li class="row row--application">')
      .slice(1)
      .map((row) => textOf(row.split('<details')[0] ?? ''));
  const typesSince = async (position: number): Promise<readonly string[]> =>
    (await running.events()).slice(position).map(({ type }) => type);

  it('include self-registered clients, whatever they were authorized for', async () => {
    await running.close();
    running = await runningService({ settings: { dynamicRegistration: 'open' } });
    const session = await openSession(running, await running.addUser('ada'));
    const { client_id: id } = await registerSuccessfully(running);
    await redeem(running, { client_id: id }, await obtainCode(session, id));
    const [row = '', ...otherRows] = rowsOf(await session.get(PATH));
    expect(otherRows).to.deep.equal([]);
    expect(row).to.include('Editor');
  });

  it('include other applications only if the user authorized them for a resource server', async () => {
    await issueToken(app);
    expect(rowsOf(await browser.get(PATH))).to.deep.equal([]);
    await issueToken(agent, { resource: CALENDAR });
    const rows = rowsOf(await browser.get(PATH));
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include('Helper');
    await issueToken(agent);
    expect(rowsOf(await browser.get(PATH))[0], 'one authorization is for every service').to.include(
      'for every service',
    );
  });

  it('are shown with their hosts, services, permissions, and first and last use', async () => {
    const tokens = await issueToken(agent, { resource: CALENDAR });
    running.clock.advance(7_200);
    await issueToken(agent, { resource: FILES });
    running.clock.advance(3_600);
    await refresh(agent, tokens);
    const [row] = rowsOf(await browser.get(PATH));
    expect(row)
      .to.include('runs on app.example')
      .and.include(`only for ${CALENDAR}`)
      .and.include(`only for ${FILES}`)
      .and.include('first used 3 hours ago · last used just now')
      .and.include('2 authorizations, with receipts');
    expect(row).to.include('every user'); // the permission, in the words of the consent page
  });

  it('are said to run on the user’s device if their codes go to a loopback address or an app', async () => {
    const localAgent = await running.addClient({
      name: 'Local',
      clientType: 'public',
      grantTypes: ['authorization-code', 'password'],
      redirectUris: ['http://127.0.0.1/callback', 'https://web.example/callback'],
    });
    await running.post('/o/token/', {
      grant_type: 'password',
      client_id: localAgent.id,
      username: ada.username,
      password: ada.password,
      scope: 'read',
      resource: CALENDAR,
    });
    expect(rowsOf(await browser.get(PATH))[0]).to.include('runs on web.example or one of your computers or devices');
  });

  it('can be ended one by one, with one event each, without ending the others', async () => {
    const otherAgent = await running.addClient({ name: 'Other' });
    const [endedTokens, remainingTokens] = [
      await issueToken(agent, { resource: CALENDAR }),
      await issueToken(otherAgent, { resource: FILES }),
    ];
    const page = await browser.get(PATH);
    const eventCount = (await running.events()).length;
    const resultPage = await browser.submitAndFollow(page, {}, `${PATH}${agent.id}/end/`);
    expect(resultPage.html).to.include('Helper no longer acts for you.');
    expect(rowsOf(resultPage).map((row) => row.includes('Other'))).to.deep.equal([true]);
    expect(await typesSince(eventCount)).to.deep.equal(['GrantRevoked']);
    expect([await refresh(agent, endedTokens), await refresh(otherAgent, remainingTokens)]).to.deep.equal([400, 200]);
  });

  it('can be ended all at once, and other applications keep their access', async () => {
    const otherAgent = await running.addClient({ name: 'Other' });
    const tokens = [
      await issueToken(agent, { resource: CALENDAR }),
      await issueToken(otherAgent, { resource: FILES }),
    ] as const;
    const [unrestrictedTokens, appTokens] = [await issueToken(agent), await issueToken(app)];
    const page = await browser.get(PATH);
    const resultPage = await browser.submitAndFollow(page, {}, `${PATH}end/`);
    expect(resultPage.html)
      .to.include('Agents no longer have access to your account.')
      .and.include('No agents act for you');
    expect([
      await refresh(agent, tokens[0]),
      await refresh(otherAgent, tokens[1]),
      await refresh(agent, unrestrictedTokens),
      await refresh(app, appTokens),
    ]).to.deep.equal([400, 400, 400, 200]);
  });

  it('can be ended without a script, by a form in a confirmation', async () => {
    await issueToken(agent, { resource: CALENDAR });
    const { html } = await browser.get(PATH);
    expect(html).to.match(/<details class="confirm">[^]*End all access for Helper\?[^]*<form[^>]*method="post"/);
    expect(html).not.to.match(/\/accounts\/agents\/end\//);
    await issueToken(await running.addClient({ name: 'Other' }), { resource: FILES });
    expect((await browser.get(PATH)).html).to.match(
      /End all access for 2 agents\?[^]*action="\/accounts\/agents\/end\/"/,
    );
  });

  it('can be ended only by their user, and only with the CSRF token', async () => {
    const tokens = await issueToken(agent, { resource: CALENDAR });
    const bob = await running.addUser('bob');
    const bobsBrowser = running.browser();
    await bobsBrowser.logIn(bob.username, bob.password);
    const page = await bobsBrowser.get('/accounts/sessions/');
    expect((await bobsBrowser.submit(page, {}, `${PATH}${agent.id}/end/`)).status).to.equal(404);
    expect((await bobsBrowser.submit(page, {}, `${PATH}end/`)).status).to.equal(404);
    expect((await browser.post(`${PATH}end/`, {})).status).to.equal(403);
    expect((await browser.post(`${PATH}${agent.id}/end/`, {})).status).to.equal(403);
    expect(await refresh(agent, tokens)).to.equal(200);
  });

  it('that were ended in another tab cannot be ended again', async () => {
    await issueToken(agent, { resource: CALENDAR });
    const page = await browser.get(PATH);
    await browser.submit(page, {}, `${PATH}end/`);
    for (const path of [`${PATH}end/`, `${PATH}${agent.id}/end/`])
      expect((await browser.submit(page, {}, path)).status).to.equal(404);
  });

  describe('for the operator', () => {
    async function call(name: string, input: object): Promise<readonly unknown[]> {
      const items: unknown[] = [];
      for await (const item of operate(running.service())(name, input, new AbortController().signal)) items.push(item);
      return items;
    }

    it('are listed by `user agents`', async () => {
      await issueToken(agent, { resource: CALENDAR });
      await issueToken(app);
      const now = new Date(running.clock.now()).toISOString();
      expect(await call('user agents', { username: 'ada' })).to.deep.equal([
        {
          client_id: agent.id,
          name: 'Helper',
          runs_on: ['app.example'],
          resources: [CALENDAR],
          scope: ['read'],
          since: now,
          last_used_at: now,
        },
      ]);
    });

    it('are ended by `user end-agents`, one by one or all at once', async () => {
      const otherAgent = await running.addClient({ name: 'Other' });
      const [agentTokens, otherAgentTokens, appTokens] = [
        await issueToken(agent, { resource: CALENDAR }),
        await issueToken(otherAgent, { resource: FILES }),
        await issueToken(app),
      ];
      const [firstResult] = await call('user end-agents', { username: 'ada', clientId: agent.id });
      expect(firstResult).to.deep.include({ username: 'ada', ended: [agent.id] });
      expect([await refresh(agent, agentTokens), await refresh(otherAgent, otherAgentTokens)]).to.deep.equal([
        400, 200,
      ]);
      const [secondResult] = await call('user end-agents', { username: 'ada' });
      expect(secondResult).to.deep.include({ ended: [otherAgent.id] });
      expect(await refresh(app, appTokens)).to.equal(200);
      const [revocation] = (await running.events()).filter(({ type }) => type === 'GrantRevoked').slice(-1);
      expect(revocation).to.deep.include({ actor: { kind: 'operator' }, data: { reason: 'revoked-by-operator' } });
      expect(await call('user end-agents', { username: 'ada' })).to.have.deep.nested.property('[0].ended', []);
    });

    it('cannot be ended if they do not act for the user', async () => {
      await issueToken(app);
      const refusal = await call('user end-agents', { username: 'ada', clientId: app.id }).catch(
        (error: unknown) => error,
      );
      expect(refusal).to.be.instanceOf(OperationRefused).with.property('message').that.includes('user agents');
    });
  });
});
