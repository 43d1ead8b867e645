import { LIMITS } from '../../src/platform/limits/limits.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { LogUnavailable } from '../../src/event-store/event-log.ts';
import { addPasskey, authenticator } from './authenticator.ts';
import { freePort } from './free-port.ts';
import { quickHasher } from './quick-hasher.ts';
import { runningService, type RunningService, type TestClient, type TestUser } from './running-service.ts';

/** The texts that users enter, wherever a page shows them. */
export interface Words {
  readonly member: string;
  readonly colleague: string;
  readonly auditor: string;
  readonly administrator: string;
  readonly newcomer: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly applications: readonly [string, string, string, string];
  readonly redirectUri: string;
  readonly scopeDescriptions: Readonly<Record<string, string>>;
  /** The value that a user enters into a form that is then refused. */
  readonly typed: string;
}

export type Person = 'visitor' | 'newcomer' | 'member' | 'auditor' | 'administrator';

/** A server with users of every kind and their data, and two servers in special states. */
export interface Scene {
  readonly running: RunningService;
  /** On its first start, without users. */
  readonly fresh: RunningService;
  /** It cannot append, and the password `UNEXPECTED` causes an internal error. */
  readonly broken: RunningService;
  close(): Promise<void>;
  readonly words: Words;
  readonly people: Readonly<Record<Exclude<Person, 'visitor'>, TestUser>>;
  /** The member's own application. */
  readonly application: TestClient;
  readonly publicApplication: TestClient;
  /** A colleague's application, which asks for the member's authorization. */
  readonly asking: TestClient;
  /** The colleague's other application, registered within the last hour. */
  readonly newApplication: TestClient;
}

/** A password that makes the broken server fail. */
export const UNEXPECTED = 'unexpected';

export const PASSWORD = 'correct horse battery staple';
const MINUTE = 60;
const DAY = 86_400;

export const PLAIN_WORDS: Words = {
  member: 'ada',
  colleague: 'charles',
  auditor: 'grace',
  administrator: 'margaret',
  newcomer: 'linus',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  applications: ['Harbour Calendar', 'Tidewater', 'Lantern Reports', 'Photo Frame'],
  redirectUri: 'https://calendar.example/oauth/callback',
  scopeDescriptions: { read: 'Read your data', write: 'Change your data', groups: 'See your groups' },
  typed: 'not an address',
};

/** The same text for everything, which must be harmless everywhere. */
export function wordsOf(text: string): Words {
  const name = text.normalize('NFKC'); // as accounts keep it
  const names = {
    member: `${name}1`,
    colleague: `${name}2`,
    auditor: `${name}3`,
    administrator: `${name}4`,
    newcomer: `${name}5`,
  };
  return {
    ...names,
    firstName: text,
    lastName: text,
    email: `${text.replaceAll(/[\s@]/g, '')}@example.org`,
    applications: [text, text, text, text],
    redirectUri: `https://app.example/${encodeURIComponent(text)}'&x=1`,
    scopeDescriptions: { read: text, write: text, groups: text },
    typed: text,
  };
}

/** Creates the scene; the caller closes it. */
export async function setScene(words: Words = PLAIN_WORDS): Promise<Scene> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`; // browsers make passkeys for no address, and at the issuer alone
  const settings = { signup: 'open', scopes: words.scopeDescriptions, issuer } as const;
  const limits = { ...LIMITS, 'set-up-by-address': { most: 1, windowSeconds: 10 * MINUTE } };
  const running = await runningService({ settings, limits, port, startsAt: Date.UTC(2026, 9, 12, 8, 5) });
  const people = {
    administrator: await addPerson(running, words.administrator, ['administrator']),
    auditor: await addPerson(running, words.auditor, ['auditor']),
    member: await addPerson(running, words.member, [], words),
    newcomer: await addPerson(running, words.newcomer, []),
  };
  const colleague = await addPerson(running, words.colleague, []);
  const redirectUris = [words.redirectUri];
  const [own, ownPublic, ownService, others] = words.applications;
  const application = await running.addClient({
    owner: words.member,
    name: own,
    redirectUris: [...redirectUris, 'https://staging.calendar.example/oauth/callback'],
  });
  running.clock.advance(3 * DAY + 42 * MINUTE);
  const publicApplication = await running.addClient({
    owner: words.member,
    name: ownPublic,
    clientType: 'public',
    grantTypes: ['authorization-code'],
    redirectUris,
    allowedOrigins: ['https://tidewater.example'],
  });
  const service = await running.addClient({
    owner: words.member,
    name: ownService,
    grantTypes: ['client-credentials'],
    redirectUris: [],
  });
  const asking = await running.addClient({ owner: words.colleague, name: others, redirectUris });
  running.clock.advance(2 * DAY + 97 * MINUTE);
  await getTokens(running, asking, people.member, words, 'read');
  running.clock.advance(4 * DAY + 13 * MINUTE);
  await getTokens(running, application, people.member, words, 'read write');
  await getTokens(running, application, colleague, words, 'read write');
  for (const minutes of [610, 300, 45, 30, 61, 17, 4, 88, 170, 35]) {
    running.clock.advance(minutes * MINUTE);
    await running.token(service, { grant_type: 'client_credentials' });
    if (minutes < 100) await running.token(application, { grant_type: 'client_credentials' });
  }
  running.clock.advance(55 * MINUTE);
  await running.token(application, { grant_type: 'authorization_code', code: 'x', redirect_uri: words.redirectUri });
  await running.post('/o/token/', {
    grant_type: 'client_credentials',
    client_id: application.id,
    client_secret: words.typed,
  });
  const newApplication = await running.addClient({ owner: words.colleague, name: others, redirectUris });
  await addLaptop(running, people.member, words.applications[0].slice(0, LONGEST_PASSKEY_NAME), issuer);
  await running.get('/accounts/setup/?token=guessed'); // no more of that: the next one meets the limit
  const fresh = await runningService();
  const broken = await brokenService();
  const close = async (): Promise<void> => {
    // the broken service has had unexpected errors, on purpose
    await Promise.all([running.close(), fresh.close(), broken.close().catch(() => {})]);
  };
  return { running, fresh, broken, close, words, people, application, publicApplication, asking, newApplication };
}

async function brokenService(): Promise<RunningService> {
  const log = createMemoryLog();
  let isWritable = true;
  const broken = await runningService({
    log: {
      ...log,
      append: (...change) =>
        isWritable ? log.append(...change) : Promise.reject(new LogUnavailable('no space left on the device')),
    },
    hasher: {
      ...quickHasher,
      verify: (phc, password) =>
        password === UNEXPECTED ? Promise.reject(new Error('unforeseen')) : quickHasher.verify(phc, password),
    },
  });
  await addPerson(broken, PLAIN_WORDS.member, []);
  isWritable = false;
  return broken;
}

async function addPerson(
  running: RunningService,
  username: string,
  roles: readonly ('administrator' | 'auditor')[],
  of?: Words,
): Promise<TestUser> {
  const { firstName, lastName, email } = of ?? {};
  const account = { username, password: PASSWORD, roles, ...(of === undefined ? {} : { firstName, lastName, email }) };
  const result = await running
    .service()
    .accounts.register(
      account as Parameters<ReturnType<RunningService['service']>['accounts']['register']>[0],
      OPERATOR,
    );
  if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  return { username, password: PASSWORD };
}

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

async function getTokens(
  running: RunningService,
  client: TestClient,
  user: TestUser,
  { redirectUri }: Words,
  scope: string,
): Promise<void> {
  const code = await running.authorize(client, user, { redirect_uri: redirectUri, scope });
  const { status, text } = await running.token(client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
  });
  if (status !== 200) throw new Error(text);
}

const LONGEST_PASSKEY_NAME = 60;

/** A passkey. */
async function addLaptop(
  running: RunningService,
  { username, password }: TestUser,
  name: string,
  origin: string,
): Promise<void> {
  const session = running.browser();
  await session.logIn(username, password);
  const { status, html } = await addPasskey(session, password, authenticator(), { name, overrides: { origin } });
  if (status !== 302) throw new Error(html);
}
