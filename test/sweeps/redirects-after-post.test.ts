import { expect } from 'chai';
import { createApp } from '../../src/http/app.ts';
import { routesOf } from '../support/app-routes.ts';
import { hiddenFields, type BrowserSession, type Page } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';
import { ACCOUNT_FORMS } from '../support/successful-forms/accounts.ts';
import { ADA_PATH, ADMINISTRATION_FORMS } from '../support/successful-forms/administration.ts';
import { APPLICATION, APPLICATION_FORMS } from '../support/successful-forms/applications.ts';
import { RESOURCE_FORMS } from '../support/successful-forms/resources.ts';
import { TWO_STEP_LOGIN_FORMS } from '../support/successful-forms/two-step-login.ts';
import { createScenario, NEW_PASSWORD, type Fields, type Scenario } from '../support/successful-forms/scenario.ts';

const SUCCESSFUL_SUBMISSIONS = {
  ...ACCOUNT_FORMS,
  ...TWO_STEP_LOGIN_FORMS,
  ...APPLICATION_FORMS,
  ...RESOURCE_FORMS,
  ...ADMINISTRATION_FORMS,
};

/** Forms that have an effect each time they are submitted, each with the reason. */
const REPEATABLE_FORMS: Readonly<Record<string, string>> = {
  '/accounts/login': 'each submission is a separate login, and the browser keeps the last session',
};

/** Forms that change nothing and respond with a page, each with the reason. */
const FORMS_WITH_PAGE: Readonly<Record<string, string>> = {
  '/admin/brand/preview': 'it shows a preview of the entered values',
  '/admin/settings/:setting': 'it shows the forecast, and the value can be too long for a URL',
};

/** Records each form that a browser submits. Returns a function that resubmits the last one, with its cookies. */
function recordLastForm({ running, browser }: Scenario): () => Promise<Page> {
  let repeat: () => Promise<Page> = () => expect.fail('no form was submitted');
  function watch(session: BrowserSession): BrowserSession {
    const { post, upload } = session;
    const recordAndSend = async (send: () => Promise<Page>): Promise<Page> => {
      const jar = session.cookies() as Map<string, string>;
      const cookies = [...jar];
      repeat = () => {
        jar.clear();
        for (const [name, value] of cookies) jar.set(name, value);
        return send();
      };
      return send();
    };
    return Object.assign(session, {
      post: (path: string, fields: Fields) => recordAndSend(() => post(path, fields)),
      upload: (path: string, form: FormData) => recordAndSend(() => upload(path, form)),
    });
  }
  watch(browser);
  const openBrowser = running.browser;
  Object.assign(running, { browser: (...headers: Parameters<typeof openBrowser>) => watch(openBrowser(...headers)) });
  return () => repeat();
}

/** The path of the form on a new server, which has no users yet. */
const SETUP_PATH = '/accounts/setup';

describe('A form that is submitted with POST', () => {
  let scenario: Scenario;

  beforeEach(async () => {
    scenario = await createScenario();
  });
  afterEach(() => scenario.running.close());

  /** Returns every POST route except API operations, which do not respond with pages. */
  function listForms(): readonly string[] {
    const app = createApp(scenario.running.service(), { error: () => expect.fail('unexpected error') });
    return routesOf(app)
      .filter(({ method, openApi }) => method === 'POST' && openApi === undefined)
      .map(({ path }) => path.replace(/\{.*\}/, ''));
  }

  it('is covered by an example in this test', () => {
    expect(listForms()).to.have.members([...Object.keys(SUCCESSFUL_SUBMISSIONS), SETUP_PATH]);
  });

  async function expectRedirect(
    running: RunningService,
    browser: BrowserSession,
    succeed: () => Promise<Page>,
    isPageExpected = false,
  ): Promise<void> {
    const headBefore = running.log.head();
    const response = await succeed();
    expect(response.status, response.html).to.be.below(400);
    if (running.log.head() === headBefore) {
      if (response.status === 302 || isPageExpected) return; // The form sent an e-mail or shows something.
      expect(
        response.headers.get('content-type'),
        'the type of a response that changes nothing and is not a page',
      ).to.match(/^application\/json/);
      return;
    }
    expect(response.status).to.equal(302);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const headAfter = running.log.head();
    const location = response.location ?? '';
    if (!location.startsWith('/')) return; // This redirect goes to the client that requested an authorization.
    for (const reload of ['the page', 'the same page, reloaded']) {
      expect((await browser.get(location)).status, reload).to.be.oneOf([200, 302]);
      expect(running.log.head(), `${reload} changes nothing`).to.equal(headAfter);
    }
  }

  for (const [path, succeed] of Object.entries(SUCCESSFUL_SUBMISSIONS)) {
    const changesNothing =
      path in REPEATABLE_FORMS
        ? ''
        : ', and changes nothing more if it is submitted twice, for example by a double click';
    it(`gets a redirect if it changes something${changesNothing}: ${path}`, async () => {
      const repeat = recordLastForm(scenario);
      const isPageExpected = Object.hasOwn(FORMS_WITH_PAGE, path);
      await expectRedirect(scenario.running, scenario.browser, () => succeed(scenario), isPageExpected);
      if (path in REPEATABLE_FORMS) return;
      const typesBefore = await eventTypes();
      await repeat();
      expect(await eventTypes()).to.deep.equal(typesBefore);
    });
  }

  it(`gets a redirect if it changes something: ${SETUP_PATH}`, async () => {
    const newServer = await runningService();
    const browser = newServer.browser();
    const page = await browser.get(`${SETUP_PATH}/?token=${newServer.service().setup.token() ?? ''}`);
    await expectRedirect(newServer, browser, () =>
      browser.submit(page, { username: 'root', email: '', password: NEW_PASSWORD }, `${SETUP_PATH}/`),
    );
    await newServer.close();
  });

  const eventTypes = async (): Promise<readonly string[]> => (await scenario.running.events()).map(({ type }) => type);

  it('gets the page again with status 422 if it is refused', async () => {
    for (const [path, fields] of [
      ['/o/applications/register/', { ...APPLICATION, name: '' }],
      ['/admin/users/add/', { username: '' }],
      [`${ADA_PATH}password/`, { password: 'short' }],
      ['/accounts/password/', { current_password: 'wrong', new_password: NEW_PASSWORD }],
    ] as const) {
      const headBefore = scenario.running.log.head();
      const { hasForm, status } = await submitInvalid(path, fields);
      expect({ hasForm, status }, path).to.deep.equal({ hasForm: true, status: 422 });
      expect(scenario.running.log.head(), path).to.equal(headBefore);
    }
  });

  async function submitInvalid(
    path: string,
    fields: Fields,
  ): Promise<{ readonly status: number; readonly hasForm: boolean }> {
    const { status, html } = await scenario.send(path, fields);
    return { status, hasForm: 'csrf_token' in hiddenFields(html) };
  }
});
