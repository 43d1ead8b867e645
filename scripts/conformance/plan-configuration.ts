/** The facts about the server under test that the plan configuration contains. */
export interface ConformanceTarget {
  readonly issuer: string;
  /** The address of the suite, without a slash at its end. */
  readonly suite: string;
  readonly username: string;
  readonly password: string;
  readonly clients: readonly [ConformanceClient, ConformanceClient];
}

export interface ConformanceClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/** The name under which the suite serves the redirect URIs of the clients. */
export const ALIAS = 'grantlog';

const clientAddress = (suite: string): string => `${suite}/test/a/${ALIAS}`;

/** The addresses with which both clients are registered. */
export function clientAddresses(suite: string) {
  const base = clientAddress(suite);
  return {
    redirectUris: [`${base}/callback`, `${base}/callback?dummy1=lorem&dummy2=ipsum`],
    postLogoutRedirectUri: `${base}/post_logout_redirect`,
    backchannelLogoutUri: `${base}/backchannel_logout`,
  };
}

/** The configuration of a plan with static clients, in the format of the conformance suite. */
export function planConfiguration({
  issuer,
  suite,
  username,
  password,
  clients: [client, client2],
}: ConformanceTarget) {
  const browser = pageVisits(issuer, { username, password });
  return {
    alias: ALIAS,
    description: `Grantlog at ${issuer}, tested by ${suite}`,
    server: { discoveryUrl: `${issuer}/.well-known/openid-configuration`, login_hint: username, acr_values: 'pwd' },
    client: { client_name: 'first', ...client },
    client_secret_post: { client_name: 'first', ...client },
    client2: { client_name: 'second', ...client2 },
    browser: [browser.authorize(), browser.logOut()],
    override: overrides(browser),
  };
}

/** A command of the suite's scripted browser, such as `['click', 'name', 'allow']`. */
type Command = readonly (string | number)[];
interface Task {
  readonly task: string;
  readonly match: string;
  readonly optional?: true;
  readonly commands: readonly Command[];
}
interface Visit {
  readonly match: string;
  readonly tasks: readonly Task[];
}

const WAIT_SECONDS = 10;

/** Waits until the page contains the text, and shows the page to the person who reviews the results. */
const seeAndRecord = (text: string, placeholder = 'update-image-placeholder'): Command => [
  'wait',
  'xpath',
  '//*',
  WAIT_SECONDS,
  text,
  placeholder,
];

/** The steps of a user on the pages. */
function pageVisits(issuer: string, { username, password }: { readonly username: string; readonly password: string }) {
  const authorizeAddress = `${issuer}/o/authorize*`;
  const logOutAddress = `${issuer}/o/logout*`;
  const comeBack: Task = {
    task: 'Return to the client',
    match: '*/test/*/callback*',
    commands: [['wait', 'id', 'submission_complete', WAIT_SECONDS]],
  };
  const logIn = (before: readonly Command[]): Task => ({
    task: 'Log in',
    optional: true,
    match: `${issuer}/accounts/login*`,
    commands: [
      ...before,
      ['text', 'name', 'username', username],
      ['text', 'name', 'password', password],
      ['click', 'css', 'form[action="/accounts/login/"] button[type=submit]'],
    ],
  });
  const consent: Task = {
    task: 'Consent',
    optional: true,
    match: authorizeAddress,
    commands: [['click', 'name', 'allow']],
  };
  const confirm: Task = {
    task: 'Confirm the logout',
    match: logOutAddress,
    commands: [['click', 'css', 'form[action="/o/logout/"] button[type=submit]']],
  };

  return {
    /** @param beforeLogin run on the login page, if it is shown */
    authorize: (beforeLogin: readonly Command[] = []): Visit => ({
      match: authorizeAddress,
      tasks: [logIn(beforeLogin), consent, comeBack],
    }),
    /** Logs out at the request of a client, and returns to it. */
    logOut: (): Visit => ({
      match: logOutAddress,
      tasks: [{ task: 'Return to the client', match: '*/test/*/post_logout_redirect*', commands: [] }],
    }),
    /** Logs out, and stays on the page that says so. Asks for a confirmation unless the client proves the user. */
    logOutHere: (asks: boolean): Visit => ({
      match: logOutAddress,
      tasks: [
        ...(asks ? [confirm] : []),
        { task: 'See that it is done', match: logOutAddress, commands: [seeAndRecord('logged out')] },
      ],
    }),
    authorizeError: (): Visit => ({
      match: authorizeAddress,
      tasks: [{ task: 'See the error', match: authorizeAddress, commands: [seeAndRecord('Error 400')] }],
    }),
    logOutError: (): Visit => ({
      match: logOutAddress,
      tasks: [{ task: 'See the error', match: logOutAddress, commands: [seeAndRecord('Error 400')] }],
    }),
  };
}

const REFUSED_AUTHORIZATIONS = [
  'oidcc-ensure-registered-redirect-uri',
  'oidcc-ensure-redirect-uri-in-authorization-request',
  'oidcc-redirect-uri-query-added',
  'oidcc-redirect-uri-query-mismatch',
  // Request objects are not read, and the redirect URI outside of the object is wrong.
  'oidcc-ensure-request-object-with-redirect-uri',
];
const SECOND_LOGINS = ['oidcc-prompt-login', 'oidcc-max-age-1'];
const REFUSED_LOGOUTS = [
  'bad-post-logout-redirect-uri',
  'query-added-to-post-logout-redirect-uri',
  'modified-id-token-hint',
  'bad-id-token-hint',
  'no-id-token-hint', // nothing names the client, so the address to return to cannot be checked
];
const CONFIRMED_LOGOUTS = ['no-params', 'only-state'];
const LOGOUTS_WITHOUT_RETURN = ['no-post-logout-redirect-uri'];

const logoutModule = (name: string): string => `oidcc-rp-initiated-logout-${name}`;

/** The modules in which the user sees other pages than usual. */
function overrides(browser: ReturnType<typeof pageVisits>) {
  const again = { browser: [browser.authorize([seeAndRecord('Log in', 'update-image-placeholder-optional')])] };
  const refused = { browser: [browser.authorizeError()] };
  const refusedLogout = { browser: [browser.authorize(), browser.logOutError()] };
  return Object.fromEntries([
    ...SECOND_LOGINS.map((name) => [name, again]),
    ...REFUSED_AUTHORIZATIONS.map((name) => [name, refused]),
    ...REFUSED_LOGOUTS.map((name) => [logoutModule(name), refusedLogout]),
    ...CONFIRMED_LOGOUTS.map((name) => [
      logoutModule(name),
      { browser: [browser.authorize(), browser.logOutHere(true)] },
    ]),
    ...LOGOUTS_WITHOUT_RETURN.map((name) => [
      logoutModule(name),
      { browser: [browser.authorize(), browser.logOutHere(false)] },
    ]),
  ]) as Readonly<Record<string, { readonly browser: readonly Visit[] }>>;
}
