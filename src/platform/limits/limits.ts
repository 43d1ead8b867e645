/** Allows `max` actions within a window that the first action opens. */
export interface Limit {
  readonly max: number;
  readonly windowSeconds: number;
}

const QUARTER_HOUR = 900;
const HOUR = 3_600;
const DAY = 86_400;

/**
 * All rate limits. Limits on guesses count failures and attempts in progress. Their window is the longest time that
 * anyone can be locked out, because refused attempts are not counted.
 */
export const LIMITS = {
  /** Nobody mistypes a password that often, and eighty guesses an hour find only the most common passwords. */
  'password-by-account-and-place': { max: 20, windowSeconds: QUARTER_HOUR },
  /** Guesses from all unknown sources. Higher than the limit for one source, so that one source cannot exhaust it. */
  'password-by-account': { max: 60, windowSeconds: QUARTER_HOUR },
  /** Guesses for many accounts. An office behind one address makes fewer typing errors. */
  'password-by-address': { max: 100, windowSeconds: QUARTER_HOUR },
  /** In the password grant, the source is a client, which may have many users. */
  'password-by-client': { max: 1_000, windowSeconds: QUARTER_HOUR },
  /** A user can register hundreds of clients, which together get no more guesses than one client. */
  'password-by-address-of-clients': { max: 1_000, windowSeconds: QUARTER_HOUR },
  /**
   * Second factors, counted only after a correct password. Three out of a million codes are valid at any time. An
   * attacker at a source from which the user has logged in needs more than a year for an even chance of success.
   */
  'second-step-by-account-and-place': { max: 5, windowSeconds: QUARTER_HOUR },
  /** Second factors from all other sources. An attacker with the password has a 1 in 300 chance per month. */
  'second-step-by-account': { max: 30, windowSeconds: DAY },
  'second-step-by-address': { max: 60, windowSeconds: QUARTER_HOUR },
  /**
   * Each login adds a session to the log. A test suite that logs in before each test stays below one login every two
   * seconds. Counted only after a correct password, so strangers can neither exhaust it nor use it to find out which
   * accounts exist.
   */
  'log-in-by-account': { max: 500, windowSeconds: QUARTER_HOUR },
  /** Higher than the limit above, because an application may use one account and request a token for each action. */
  'password-grant-by-account': { max: 10_000, windowSeconds: QUARTER_HOUR },
  /** Applies to user-chosen secrets only. A client with an outdated secret retries now and then. */
  'client-secret-by-client-and-address': { max: 50, windowSeconds: QUARTER_HOUR },
  'client-secret-by-client': { max: 300, windowSeconds: QUARTER_HOUR },
  /** Many clients may share an address. A correct generated secret is accepted regardless. */
  'client-secret-by-address': { max: 1_000, windowSeconds: QUARTER_HOUR },
  /** Leaves room for a few typing errors in the set-up link. */
  'set-up-by-address': { max: 10, windowSeconds: QUARTER_HOUR },
  /** Enough for a class that signs up together. While sign-up is open, requests to POST /users/ count as well. */
  'sign-up-by-address': { max: 40, windowSeconds: HOUR },
  /**
   * Sign-up is the only way for anonymous callers to grow the log. This limit applies to all addresses together.
   * Accounts that the sample API creates always count, because otherwise callers could use it to bypass the limit.
   */
  'sign-up': { max: 1_000, windowSeconds: HOUR },
  /** Requests for links by e-mail, which anyone can make. Nobody forgets a password that often. */
  'mail-links-by-address': { max: 30, windowSeconds: HOUR },
  /** Links sent to one account, so that nobody can fill a mailbox. The response does not reveal this limit. */
  'mail-links-by-account': { max: 5, windowSeconds: HOUR },
  /**
   * Links sent to one address, even if users of several accounts enter it. Each purpose has a separate count, because
   * otherwise the response to a user who enters another user's address would reveal links sent for other purposes.
   */
  'mail-links-by-recipient': { max: 10, windowSeconds: HOUR },
  /** All links for one purpose, so that the server is not classified as a spam sender. */
  'mail-links': { max: 2_000, windowSeconds: HOUR },
  /**
   * POST /users/ by all applications of a user, or by one application of the operator. Half of `sign-up`, so that one
   * caller cannot exhaust that limit. `grantlog import` is not limited.
   */
  'users-by-caller': { max: 500, windowSeconds: HOUR },
  /**
   * A browser can get authorization codes without asking the user. A page that renews its tokens silently does so a few
   * times a minute.
   * `tokensPerMinutePerClient` raises this limit proportionally.
   */
  'codes-by-user': { max: 300, windowSeconds: 60 },
  /** Device codes are not recorded, but take up memory. An office behind one address has fewer devices. */
  'device-requests-by-address': { max: 200, windowSeconds: QUARTER_HOUR },
  /** Anyone can request device codes in the name of a public client. */
  'device-requests-by-client': { max: 10_000, windowSeconds: QUARTER_HOUR },
  /**
   * Wrong user codes of devices (RFC 8628 §5.1). Even with the maximum of 10,000 codes in use, out of 20⁸, guessing
   * from one account would take more than two years for an even chance of success.
   */
  'user-code-by-account-and-place': { max: 10, windowSeconds: QUARTER_HOUR },
  'user-code-by-account': { max: 20, windowSeconds: QUARTER_HOUR },
  /** Guesses by many accounts. */
  'user-code-by-address': { max: 60, windowSeconds: QUARTER_HOUR },
  /** Forms submitted in a session, except those that revoke access. Nobody fills in more than one a second. */
  'changes-by-user': { max: 1_000, windowSeconds: QUARTER_HOUR },
  /** Requests to the management API. A client that copies accounts from another system stays below twenty a second. */
  'management-by-client': { max: 1_200, windowSeconds: 60 },
  /** Far more than a developer registers by hand. */
  'applications-by-user': { max: 200, windowSeconds: HOUR },
  /** Links that invite owners and test users. Nothing is recorded until someone accepts the invitation. */
  'invitations-by-user': { max: 60, windowSeconds: HOUR },
  /** E-mails with invitations, to addresses that the user chooses. */
  'invitation-mails-by-user': { max: 20, windowSeconds: HOUR },
  /**
   * Registrations by clients (RFC 7591), which are not recorded, but take time. Changes to a registration are recorded,
   * and count as well. No office connects that many new clients.
   */
  'registrations-by-address': { max: 200, windowSeconds: HOUR },
  /** Sector documents, which the server fetches from a URL that the developer chooses. */
  'sector-documents-by-user': { max: 60, windowSeconds: HOUR },
  /**
   * Request objects that the server fetches because a browser presents their URL, and key sets of clients that are not
   * in the log. Anyone can trigger these requests; a separate limit protects the client's host. An office behind one
   * address logs in less often.
   */
  'request-objects-by-address': { max: 60, windowSeconds: 60 },
  /**
   * Logins through other providers, counted at each of the two redirects. Nothing is recorded before the provider has
   * authenticated a user, but each login causes a request to the provider. All users in an office may log in at the
   * same time.
   */
  'upstream-logins-by-address': { max: 300, windowSeconds: 60 },
  /** Clients' metadata documents, which anyone can make the server fetch. No office connects that many clients. */
  'client-documents-by-address': { max: 30, windowSeconds: 60 },
  /**
   * A client that requests tokens in a loop would fill the disk. Users of a public client count individually (see
   * `TokenBudget`). The setting `tokensPerMinutePerClient` replaces this maximum.
   */
  'tokens-by-client': { max: 6_000, windowSeconds: 60 },
  /**
   * Each assertion from a client is recorded, even if the request is then refused or, like an introspection, records
   * nothing else. `tokensPerMinutePerClient` raises this limit proportionally.
   */
  'assertions-by-client': { max: 30_000, windowSeconds: 60 },
  /**
   * Pushed requests are not recorded, but each takes time, mostly for signatures. Those of a public client are counted
   * separately for each address. `tokensPerMinutePerClient` raises this limit proportionally.
   */
  'pushed-requests-by-client': { max: 6_000, windowSeconds: 60 },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, Limit>>;

/** Returns the limits for a server. They follow later changes to its settings. */
export function limitsFor(settings: { readonly tokensPerMinutePerClient: number }): Limits {
  const { max: defaultTokens } = LIMITS['tokens-by-client'];
  const raisedLimit = (name: LimitName): Limit => {
    const { max: defaultMax, windowSeconds } = LIMITS[name];
    return {
      windowSeconds,
      get max() {
        return Math.max(defaultMax, Math.floor((settings.tokensPerMinutePerClient * defaultMax) / defaultTokens));
      },
    };
  };
  return {
    ...LIMITS,
    'codes-by-user': raisedLimit('codes-by-user'),
    'assertions-by-client': raisedLimit('assertions-by-client'),
    'pushed-requests-by-client': raisedLimit('pushed-requests-by-client'),
    'tokens-by-client': {
      ...LIMITS['tokens-by-client'],
      get max() {
        return settings.tokensPerMinutePerClient;
      },
    },
  };
}

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];
