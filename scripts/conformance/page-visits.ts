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
  /** The maximum number of visits to which this applies; no limit if it is absent. */
  readonly 'match-limit'?: number;
  readonly tasks: readonly Task[];
}

const WAIT_SECONDS = 10;

/** Waits until the page contains the text, and records the page for the reviewer of the results. */
const seeAndRecord = (text: string, placeholder = 'update-image-placeholder'): Command => [
  'wait',
  'xpath',
  '//*',
  WAIT_SECONDS,
  text,
  placeholder,
];

interface VisitOptions {
  readonly issuer: string;
  readonly suite: string;
  readonly username: string;
  readonly password: string;
}

/** Returns functions that describe what a user does on the pages. */
export function pageVisits({ issuer, suite, username, password }: VisitOptions) {
  const authorizeAddress = `${issuer}/o/authorize*`;
  const logOutAddress = `${issuer}/o/logout*`;
  const returnToClient: Task = {
    task: 'Return to the client',
    // Matches from the start of the URL, because the address of the authorization endpoint can contain the client's
    // address.
    match: `${suite}/test/*/callback*`,
    commands: [['wait', 'id', 'submission_complete', WAIT_SECONDS]],
  };
  const logIn = (preparation: readonly Command[]): Task => ({
    task: 'Log in',
    optional: true,
    match: `${issuer}/accounts/login*`,
    commands: [
      ...preparation,
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
    /**
     * Logs in if necessary, and authorizes the client.
     * @param beforeLogin commands that run on the login page, if it is shown
     */
    authorize: (beforeLogin: readonly Command[] = []): Visit => ({
      match: authorizeAddress,
      tasks: [logIn(beforeLogin), consent, returnToClient],
    }),
    /** Authorizes, and records the login page for the reviewer. */
    authorizeAgain(): Visit {
      return this.authorize([seeAndRecord('Log in', 'update-image-placeholder-optional')]);
    },
    /** Consents, or sees an error page. The test module decides which of them is correct. */
    authorizeOrSeeError: (): Visit => ({
      match: authorizeAddress,
      tasks: [
        logIn([]),
        { ...consent, commands: [['click', 'name', 'allow', 'optional']] },
        { ...seeError, optional: true },
        { ...returnToClient, optional: true },
      ],
    }),
    denyAuthorization: (): Visit => ({
      match: authorizeAddress,
      tasks: [
        logIn([]),
        { task: 'Deny', match: authorizeAddress, commands: [['click', 'name', 'deny']] },
        returnToClient,
      ],
    }),
    /** Opens the page once and leaves it. */
    visitOnce: (): Visit => ({
      match: authorizeAddress,
      'match-limit': 1,
      tasks: [{ task: 'Leave the page', match: `${issuer}/*`, commands: [] }],
    }),
    /** Logs out at the request of a client, and returns to it. */
    logOut: (): Visit => ({
      match: logOutAddress,
      tasks: [{ task: 'Return to the client', match: `${suite}/test/*/post_logout_redirect*`, commands: [] }],
    }),
    /**
     * Logs out without returning to the client.
     * @param isConfirmed whether the page asks for a confirmation first
     */
    logOutWithoutReturn: (isConfirmed: boolean): Visit => ({
      match: logOutAddress,
      tasks: [
        ...(isConfirmed ? [confirm] : []),
        { task: 'See the confirmation', match: logOutAddress, commands: [seeAndRecord('logged out')] },
      ],
    }),
    seeAuthorizationError: (): Visit => ({ match: authorizeAddress, tasks: [seeError] }),
    seeLogoutError: (): Visit => ({ match: logOutAddress, tasks: [{ ...seeError, match: logOutAddress }] }),
  };
}
