import { expect } from 'chai';
import type { Role } from '../../../src/domain/events.ts';
import type { Client } from '../../../src/projections/clients.ts';
import type { User } from '../../../src/projections/users.ts';
import { addPasskey, createAuthenticator, type Authenticator } from '../authenticator.ts';
import type { BrowserSession, Page } from '../browser-session.ts';
import { mailbox } from '../mailbox.ts';
import { LOOPBACK_PROVIDERS } from '../scripted-provider.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from '../running-service.ts';

export const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
export const ROOT: TestUser = { username: 'root', password: 'the password of root' };
export const ADA: TestUser = { username: 'ada', password: "ada's password" };
export const NEW_PASSWORD = 'a few unrelated words';

/** A logged-in administrator with an application, a passkey and an authorized application, and a user named Ada. */
export interface Scenario {
  readonly running: RunningService;
  readonly browser: BrowserSession;
  readonly application: TestClient;
  readonly authorizedApplication: TestClient;
  readonly device: Authenticator;
  /** Submits the form on `page` that `action` names, and returns the response. */
  send(page: string, fields?: Fields, action?: string): Promise<Page>;
  /** Returns the ID that `action` captures first on the page at `path`. */
  findId(path: string, action: RegExp): Promise<string>;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** For each route, a function that submits the route's form successfully. */
export type SuccessfulForms = Readonly<Record<string, (scenario: Scenario) => Promise<Page>>>;

export async function createScenario(): Promise<Scenario> {
  const running = await runningService({
    mailTransport: mailbox().transport,
    settings: { signup: 'open', ...LOOPBACK_PROVIDERS },
  });
  await addUser(running, ROOT, ['administrator']);
  await addUser(running, ADA, []);
  const application = await running.addClient({ owner: 'root', name: 'Engine' });
  const authorizedApplication = await running.addClient({ name: 'Loom' });
  const browser = running.browser();
  const device = createAuthenticator();
  await browser.logIn(ROOT.username, ROOT.password);
  await addPasskey(browser, ROOT.password, device);
  await running.token(authorizedApplication, { grant_type: 'password', ...ROOT });
  return {
    running,
    browser,
    application,
    authorizedApplication,
    device,
    send: async (page, fields = {}, action = page) => browser.submit(await browser.get(page), fields, action),
    async findId(path, action) {
      const [, id] = action.exec((await browser.get(path)).html) ?? [];
      return id ?? expect.fail(`${path} has no form for ${action.source}`);
    },
  };
}

async function addUser(running: RunningService, user: TestUser, roles: readonly Role[]): Promise<void> {
  const account = await running.service().accounts.register({ ...user, roles }, OPERATOR);
  if ('errors' in account) throw new Error(JSON.stringify(account.errors));
}

/** Returns the same scenario in a new browser where nobody is logged in. */
export function asVisitor(scenario: Scenario): Scenario {
  const browser = scenario.running.browser();
  return {
    ...scenario,
    browser,
    send: async (page, fields = {}, action = page) => browser.submit(await browser.get(page), fields, action),
  };
}

/** Returns the same scenario in a new browser where Ada is logged in. */
export async function asAda(scenario: Scenario): Promise<Scenario> {
  const visitorScenario = asVisitor(scenario);
  await visitorScenario.browser.logIn(ADA.username, ADA.password);
  return visitorScenario;
}

export const findAccount = ({ running }: Scenario, { username }: TestUser): User =>
  running.service().projections.users.findByName(username) ?? expect.fail(`no user ${username}`);
export const findClient = ({ running }: Scenario, { id }: TestClient): Client =>
  running.service().projections.clients.find(id) ?? expect.fail(`no application ${id}`);
export const currentSeconds = ({ running }: Scenario): number => Math.floor(running.clock.now() / 1000);
