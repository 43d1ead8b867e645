/** A command of the suite's scripted browser, such as `['click', 'name', 'allow']`. */
type Command = readonly (string | number)[];
interface Task {
  readonly task: string;
  readonly match: string;
  /** Skipped if the browser is at a different URL. */
  readonly optional?: true;
  readonly commands: readonly Command[];
}
/** The actions of the browser when the suite sends it to a URL. */
export interface Visit {
  readonly match: string;
  /** The maximum number of visits that this applies to; unlimited if absent. */
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
  const authorizeUrl = `${issuer}/o/authorize*`;
  const logoutUrl = `${issuer}/o/logout*`;
  const returnToClient: Task = {
    task: 'Return to the client',
    // Matches from the start of the URL, because an authorization URL can contain the client's URL.
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
    match: authorizeUrl,
    commands: [['click', 'name', 'allow']],
  };
  const seeError: Task = { task: 'See the error', match: authorizeUrl, commands: [seeAndRecord('Error 400')] };
  const confirm: Task = {
    task: 'Confirm the logout',
    match: logoutUrl,
    commands: [['click', 'css', 'form[action="/o/logout/"] button[type=submit]']],
  };

  return {
    /**
     * Logs in if necessary, and authorizes the client.
     * @param beforeLogin commands that run on the login page, if it is shown
     */
    authorize: (beforeLogin: readonly Command[] = []): Visit => ({
      match: authorizeUrl,
      tasks: [logIn(beforeLogin), consent, returnToClient],
    }),
    /** Authorizes, and records the login page for the reviewer. */
    authorizeAgain(): Visit {
      return this.authorize([seeAndRecord('Log in', 'update-image-placeholder-optional')]);
    },
    /** Consents, or sees an error page. The test module decides which of them is correct. */
    authorizeOrSeeError: (): Visit => ({
      match: authorizeUrl,
      tasks: [
        logIn([]),
        { ...consent, commands: [['click', 'name', 'allow', 'optional']] },
        { ...seeError, optional: true },
        { ...returnToClient, optional: true },
      ],
    }),
    denyAuthorization: (): Visit => ({
      match: authorizeUrl,
      tasks: [logIn([]), { task: 'Deny', match: authorizeUrl, commands: [['click', 'name', 'deny']] }, returnToClient],
    }),
    /** Opens the page once and leaves it. */
    visitOnce: (): Visit => ({
      match: authorizeUrl,
      'match-limit': 1,
      tasks: [{ task: 'Leave the page', match: `${issuer}/*`, commands: [] }],
    }),
    /** Logs out at the request of a client, and returns to it. */
    logOut: (): Visit => ({
      match: logoutUrl,
      tasks: [{ task: 'Return to the client', match: `${suite}/test/*/post_logout_redirect*`, commands: [] }],
    }),
    /**
     * Logs out without returning to the client.
     * @param isConfirmed whether the page asks for a confirmation first
     */
    logOutWithoutReturn: (isConfirmed: boolean): Visit => ({
      match: logoutUrl,
      tasks: [
        ...(isConfirmed ? [confirm] : []),
        { task: 'See the confirmation', match: logoutUrl, commands: [seeAndRecord('logged out')] },
      ],
    }),
    seeAuthorizationError: (): Visit => ({ match: authorizeUrl, tasks: [seeError] }),
    seeLogoutError: (): Visit => ({ match: logoutUrl, tasks: [{ ...seeError, match: logoutUrl }] }),
  };
}
