import { expect } from 'chai';
import { authorizePath } from '../../../support/authorize-requests.ts';
import { hiddenFields, type BrowserSession, type Page } from '../../../support/browser-session.ts';
import { runningService, type RunningService, type TestClient } from '../../../support/running-service.ts';

const WRONG_URI = 'https://client.example.com/elsewhere';
const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const passwordOf = (name: string): string => `${name}'s password`;
const EXPLANATION = 'The redirect_uri is not registered';

describe('A refused authorization request', () => {
  let running: RunningService;
  let client: TestClient;
  let owner: BrowserSession;
  let otherUser: BrowserSession;
  let administrator: BrowserSession;
  let visitor: BrowserSession;

  async function openBrowserAs(name: string, role?: 'administrator'): Promise<BrowserSession> {
    const password = passwordOf(name);
    const roles = role === undefined ? [] : [role];
    await running.service().accounts.register({ username: name, password, roles }, OPERATOR);
    const browser = running.browser();
    await browser.logIn(name, password);
    return browser;
  }

  beforeEach(async () => {
    running = await runningService();
    owner = await openBrowserAs('ada');
    otherUser = await openBrowserAs('bob');
    administrator = await openBrowserAs('root', 'administrator');
    visitor = running.browser();
    client = await running.addClient({ owner: 'ada', name: 'Engine' });
  });
  afterEach(() => running.close());

  const getRefusal = (browser: BrowserSession, parameters: Readonly<Record<string, string>> = {}): Promise<Page> =>
    browser.get(authorizePath(client, { redirect_uri: WRONG_URI, ...parameters }));
  const extractRequestId = ({ html }: Page): string => /id="request-id"[^>]*>([^<]+)</.exec(html)?.[1] ?? '';
  const openExplanation = (browser: BrowserSession, id: string): Promise<Page> => browser.get(`/o/refusals/${id}/`);

  it('is explained immediately, but only to the owner and to administrators', async () => {
    for (const browser of [owner, administrator]) {
      const { status, html } = await getRefusal(browser);
      expect(status).to.equal(400);
      expect(html).to.include(EXPLANATION).and.include('<dt>Expected</dt>').and.include('<dt>What to do</dt>');
    }
    for (const browser of [otherUser, visitor]) {
      const { status, html } = await getRefusal(browser);
      expect(status).to.equal(400);
      expect(html).to.not.include(EXPLANATION).and.not.include('<dt>Expected</dt>');
    }
  });

  it('shows only owners a link to the redirect URIs of the application', async () => {
    const link = `href="/o/applications/${client.id}/update/">Change the redirect URIs<`;
    expect((await getRefusal(owner)).html).to.include(link);
    for (const browser of [administrator, otherUser, visitor])
      expect((await getRefusal(browser)).html).not.to.include(link);
    const response = await owner.get(authorizePath(client, { client_id: 'unknown' }));
    expect(response.html).to.include('This request is not valid').and.not.include('Change the redirect URIs');
  });

  it('shows everyone the application’s name and the redirect URI, escaped, truncated and not as a link', async () => {
    const longUri = `${WRONG_URI}/<b>"${'x'.repeat(1_000)}\u202E`;
    const { html } = await getRefusal(visitor, { redirect_uri: longUri });
    expect(html).to.include('Engine').and.include(`${WRONG_URI}/&lt;b&gt;`);
    expect(html).to.not.include('x'.repeat(300)).and.not.include('\u202E').and.not.include(`href="${WRONG_URI}`);
  });

  it('is explained differently for a missing client_id and for an unknown one, which is shown', async () => {
    const missingIdPage = await visitor.get('/o/authorize/?response_type=code');
    expect(missingIdPage.html).to.include('The request has no client_id.').and.not.include('Requested client_id');
    const unknownIdPage = await visitor.get('/o/authorize/?response_type=code&client_id=nobody-has-this');
    expect(unknownIdPage.html)
      .to.include('No application is registered under this client_id.')
      .and.include('nobody-has-this');
  });

  it('leads an owner who is not logged in to the login page and then to the explanation', async () => {
    const page = await getRefusal(visitor);
    const loginPath = /href="(\/accounts\/login\/\?next=[^"]+)"/.exec(page.html)?.[1] ?? '';
    const form = await visitor.get(loginPath.replaceAll('&amp;', '&'));
    const { location } = await visitor.submit(form, { username: 'ada', password: passwordOf('ada') });
    expect(location).to.equal(`/o/refusals/${extractRequestId(page)}/`);
    expect(Object.keys(hiddenFields(form.html))).to.include('next');
    expect((await owner.get(location ?? '')).html).to.include(EXPLANATION);
  });

  it('links to the setting that the rule checked, and for administrators to the events at that time', async () => {
    const id = extractRequestId(await getRefusal(visitor));
    const [ownersPage, administratorsPage] = [
      (await openExplanation(owner, id)).html,
      (await openExplanation(administrator, id)).html,
    ];
    expect(ownersPage).to.include(`href="/o/applications/${client.id}/update/">Change the redirect URIs<`);
    expect(administratorsPage).to.include(`href="/admin/applications/${client.id}/update/">Change the redirect URIs<`);
    expect(ownersPage).to.not.include('Events at that time');
    const [, href = ''] = /href="([^"]+)">Events at that time</.exec(administratorsPage) ?? [];
    const eventsPage = await administrator.get(href.replaceAll('&amp;', '&'));
    expect(eventsPage.status).to.equal(200);
    expect(eventsPage.html, 'the registration of the client in the same second').to.include('registered');
  });

  it('shows the exact time, and the administration menu to administrators', async () => {
    const id = extractRequestId(await getRefusal(visitor));
    const time = new Date(running.clock.now()).toISOString().slice(0, 19).replace('T', ' ');
    for (const browser of [owner, administrator])
      expect((await openExplanation(browser, id)).html).to.include(`>${time} UTC<`);
    expect((await openExplanation(administrator, id)).html).to.include('id="admin-sections"');
    expect((await openExplanation(owner, id)).html).to.not.include('admin-sections');
  });

  it('can be found by its request id only by users who may see it', async () => {
    const id = extractRequestId(await getRefusal(visitor));
    for (const browser of [owner, administrator])
      expect((await openExplanation(browser, id)).html).to.include(EXPLANATION);
    const [hiddenPage, unknownPage] = [
      await openExplanation(otherUser, id),
      await openExplanation(otherUser, 'x'.repeat(22)),
    ];
    expect([hiddenPage.status, unknownPage.status]).to.deep.equal([404, 404]);
    expect(hiddenPage.html.replaceAll(extractRequestId(hiddenPage), '')).to.equal(
      unknownPage.html.replaceAll(extractRequestId(unknownPage), ''),
    );
    expect((await openExplanation(visitor, id)).location).to.match(/^\/accounts\/login\/\?next=/);
    const search = `/o/applications/${client.id}/refusals/?q=`;
    expect((await owner.get(`${search}${id}`)).html).to.include(EXPLANATION);
    expect((await owner.get(`${search}unknown`)).html).to.include('No refusal with this request id');
    expect((await otherUser.get(`${search}${id}`)).status).to.equal(404);
  });

  it('for an unknown application is shown only to administrators', async () => {
    const id = extractRequestId(await owner.get('/o/authorize/?response_type=code&client_id=nobody-has-this'));
    expect((await openExplanation(owner, id)).status).to.equal(404);
    expect((await openExplanation(administrator, id)).html).to.include('Unknown client id');
  });

  describe("on the administrators' page", () => {
    const openList = async (query = ''): Promise<string> => (await administrator.get(`/admin/refusals/${query}`)).html;
    const extractHeadlines = (html: string): readonly string[] =>
      [...html.matchAll(/refusal__headline">([^<]+)</g)].map(([, text = '']) => text);

    it('is not listed if a browser opened the path of a form as a page', async () => {
      const page = await administrator.get(`/admin/applications/${client.id}/enable/`);
      expect(page.status).to.equal(405);
      expect(await openList()).to.include('No refusals');
      expect(running.service().explanations.counts()['method-not-allowed']).to.equal(0);
    });

    it('is shown with its method and client id if the method was wrong', async () => {
      await running.send(`/o/applications/${client.id}/`, { method: 'DELETE' });
      const html = await openList();
      expect(html).to.include('<dt>Received</dt><dd>DELETE</dd>').and.not.include('redacted');
      expect(html).to.include(`<code>DELETE /o/applications/${client.id}/</code>`);
    });

    it('is listed with the refusals of all applications, and found by id, application and sender', async () => {
      const secondClient = await running.addClient({ owner: 'bob', name: 'Loom' });
      const id = extractRequestId(await getRefusal(visitor));
      await running.token(secondClient, { grant_type: 'client_credentials', scope: 'nowhere' });
      await visitor.get('/o/authorize/?response_type=code&client_id=unknown');
      const allHeadlines = ['Unknown client id', 'Unknown scope: nowhere', EXPLANATION];
      expect(extractHeadlines(await openList())).to.have.members(allHeadlines);
      expect(extractHeadlines(await openList(`?q=${id}`))).to.deep.equal([EXPLANATION]);
      expect(extractHeadlines(await openList('?q=loo'))).to.deep.equal(['Unknown scope: nowhere']);
      expect(extractHeadlines(await openList(`?q=${client.id}`))).to.deep.equal([EXPLANATION]);
      expect(extractHeadlines(await openList('?q=unknown+scope'))).to.deep.equal(['Unknown scope: nowhere']);
      expect(extractHeadlines(await openList('?type=authenticated'))).to.deep.equal(['Unknown scope: nowhere']);
      expect(extractHeadlines(await openList('?type=named'))).to.deep.equal([EXPLANATION]);
      expect(extractHeadlines(await openList('?type=unknown'))).to.deep.equal(['Unknown client id']);
      expect(await openList('?q=nothing-like-it')).to.include('No refusals found');
    });

    it('has its headline in the language of the user, and is also found by the English headline', async () => {
      await running.close();
      running = await runningService({ settings: { languages: ['en', 'de'] } });
      const password = passwordOf('root');
      await running.service().accounts.register({ username: 'root', password, roles: ['administrator'] }, OPERATOR);
      const germanBrowser = running.browser({ 'accept-language': 'de' });
      await germanBrowser.logIn('root', password);
      const engine = await running.addClient({ owner: 'root', name: 'Engine' });
      const refusal = await germanBrowser.get(authorizePath(engine, { redirect_uri: WRONG_URI }));
      const headline = 'Die redirect_uri ist nicht registriert';
      expect(refusal.html).to.include(headline).and.not.include(EXPLANATION);
      for (const query of [headline, EXPLANATION])
        expect(
          extractHeadlines((await germanBrowser.get(`/admin/refusals/?q=${encodeURIComponent(query)}`)).html),
        ).to.deep.equal([headline]);
    });

    it('is not found by its headline in a language that the server does not offer', async () => {
      await running.close();
      running = await runningService({ settings: { languages: ['en'] } });
      administrator = await openBrowserAs('root', 'administrator');
      const germanBrowser = running.browser({ 'accept-language': 'de' });
      await germanBrowser.logIn('root', passwordOf('root'));
      const engine = await running.addClient({ owner: 'root', name: 'Engine' });
      await germanBrowser.get(authorizePath(engine, { redirect_uri: WRONG_URI }));
      const headlinesFor = async (query: string): Promise<readonly string[]> =>
        extractHeadlines((await germanBrowser.get(`/admin/refusals/?q=${encodeURIComponent(query)}`)).html);
      expect(await headlinesFor(EXPLANATION)).to.deep.equal([EXPLANATION]);
      expect(await headlinesFor('Die redirect_uri ist nicht registriert')).to.deep.equal([]);
    });

    it('is not shown to other users', async () => {
      expect((await owner.get('/admin/refusals/')).status).to.equal(403);
    });
  });
});

describe('An error page', () => {
  let running: RunningService;
  before(async () => {
    running = await runningService();
    await running.addUser('ada');
  });
  after(() => running.close());

  it('offers to log in as another user if the account may not see the page', async () => {
    const browser = running.browser();
    await browser.logIn('ada', passwordOf('ada'));
    const { status, html } = await browser.get('/admin/users/');
    expect(status).to.equal(403);
    expect(html).to.match(/href="\/accounts\/login\/\?next=%2Fadmin%2Fusers%2F">Log in as another user/);
  });

  it('contains its request id, and lets users copy it', async () => {
    const { html } = await running.browser().get('/nowhere/');
    expect(html).to.match(/<code id="request-id" data-copy>[\w-]{22}</);
  });
});
