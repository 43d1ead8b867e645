/** A command of the suite's scripted browser, such as `['click', 'name', 'allow']`. */
type Command = readonly (string | number)[];
interface Task {
  readonly task: string;
  readonly match: string;
  /** Skipped if the browser is at another address. */
  readonly optional?: true;
  readonly commands: readonly Command[];
}
/** The actions of the browser when the suite sends it to an address. */
export interface Visit {
  readonly match: string;
  /** How often; without it, always. */
  readonly 'match-limit'?: number;
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

interface Places {
  readonly issuer: string;
  readonly suite: string;
  readonly username: string;
  readonly password: string;
}

/** The steps of a user on the pages. */
export function pageVisits({ issuer, suite, username, password }: Places) {
  const authorizeAddress = `${issuer}/o/authorize*`;
  const logOutAddress = `${issuer}/o/logout*`;
  const comeBack: Task = {
    task: 'Return to the client',
    // From its start, because the address of the authorization endpoint can contain that of the client.
    match: `${suite}/test/*/callback*`,
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
  const seeError: Task = { task: 'See the error', match: authorizeAddress, commands: [seeAndRecord('Error 400')] };
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
    /** The same, with a login page that a person must look at. */
    authorizeAgain(): Visit {
      return this.authorize([seeAndRecord('Log in', 'update-image-placeholder-optional')]);
    },
    /** Consents, or sees an error page: the module judges which of them is right. */
    authorizeOrSeeError: (): Visit => ({
      match: authorizeAddress,
      tasks: [
        logIn([]),
        { ...consent, commands: [['click', 'name', 'allow', 'optional']] },
        { ...seeError, optional: true },
        { ...comeBack, optional: true },
      ],
    }),
    denyAuthorization: (): Visit => ({
      match: authorizeAddress,
      tasks: [logIn([]), { task: 'Deny', match: authorizeAddress, commands: [['click', 'name', 'deny']] }, comeBack],
    }),
    /** Opens the page once and leaves it. */
    lookOnce: (): Visit => ({
      match: authorizeAddress,
      'match-limit': 1,
      tasks: [{ task: 'Leave the page', match: `${issuer}/*`, commands: [] }],
    }),
    /** Logs out at the request of a client, and returns to it. */
    logOut: (): Visit => ({
      match: logOutAddress,
      tasks: [{ task: 'Return to the client', match: `${suite}/test/*/post_logout_redirect*`, commands: [] }],
    }),
    /** Logs out, and stays on the page that says so. Asks for a confirmation unless the client proves the user. */
    logOutHere: (asks: boolean): Visit => ({
      match: logOutAddress,
      tasks: [
        ...(asks ? [confirm] : []),
        { task: 'See that it is done', match: logOutAddress, commands: [seeAndRecord('logged out')] },
      ],
    }),
    authorizeError: (): Visit => ({ match: authorizeAddress, tasks: [seeError] }),
    logOutError: (): Visit => ({ match: logOutAddress, tasks: [{ ...seeError, match: logOutAddress }] }),
  };
}
