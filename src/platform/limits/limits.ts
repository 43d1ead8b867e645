/** Allows `max` actions within a window that the first action opens. */
export interface Limit {
  readonly max: number;
  readonly windowSeconds: number;
}

const QUARTER_OF_AN_HOUR = 900;
const HOUR = 3_600;
const DAY = 86_400;

/**
 * All rate limits. Limits on guesses count failures and attempts in progress. Their window is the longest time that
 * anyone can be locked out, because refused attempts are not counted.
 */
export const LIMITS = {
  /** Nobody mistypes a password that often, and eighty guesses an hour find only the most common passwords. */
  'password-by-account-and-place': { max: 20, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Guesses from all sources. Higher than the limit for one source, so that one source cannot exhaust it. */
  'password-by-account': { max: 60, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Guesses for many accounts. An office behind one address makes fewer typing errors. */
  'password-by-address': { max: 100, windowSeconds: QUARTER_OF_AN_HOUR },
  /** In the password grant, the source is a client with many users. */
  'password-by-client': { max: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** A user can register hundreds of clients, which together get no more guesses than one. */
  'password-by-address-of-clients': { max: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /**
   * Second factors, counted only after a correct password. Three out of a million codes are valid at any time. An
   * attacker at a source that the account has logged in from needs more than a year for a chance of one in two.
   */
  'second-step-by-account-and-place': { max: 5, windowSeconds: QUARTER_OF_AN_HOUR },
  /** From all other sources together. An attacker with the password has a chance of one in three hundred per month. */
  'second-step-by-account': { max: 30, windowSeconds: DAY },
  'second-step-by-address': { max: 60, windowSeconds: QUARTER_OF_AN_HOUR },
  /**
   * Each login adds a session to the log. A test suite that logs in before each test stays below one login every two
   * seconds. Counted only after a correct password, so strangers can neither exhaust it nor find out which accounts
   * exist.
   */
  'log-in-by-account': { max: 500, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Like the limit above, but higher: an application may use one account, and request a token for each action. */
  'password-grant-by-account': { max: 10_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Affects user-chosen secrets only. A client with an outdated secret retries now and then. */
  'client-secret-by-client-and-address': { max: 50, windowSeconds: QUARTER_OF_AN_HOUR },
  'client-secret-by-client': { max: 300, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Many clients may share an address. A correct generated secret is accepted regardless. */
  'client-secret-by-address': { max: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Leaves room for a few typing errors in the set-up link. */
  'set-up-by-address': { max: 10, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Enough for a class that signs up together. While sign-up is open, the sample API counts here as well. */
  'sign-up-by-address': { max: 40, windowSeconds: HOUR },
  /**
   * Sign-up is the only way for anonymous callers to grow the log. This limits them from any number of addresses.
   * Accounts that the sample API creates always count, because otherwise it would bypass the limit.
   */
  'sign-up': { max: 1_000, windowSeconds: HOUR },
  /** Requests for a link by e-mail, which anyone can send. Nobody forgets a password that often. */
  'mail-links-by-address': { max: 30, windowSeconds: HOUR },
  /** Links that are sent to one account, so that nobody can fill a mailbox. The response does not reveal this limit. */
  'mail-links-by-account': { max: 5, windowSeconds: HOUR },
  /**
   * Links that are sent to one address, even if several accounts enter it. Links for each purpose count separately.
   * Otherwise the response to a user who enters another user's address would reveal links for other purposes.
   */
  'mail-links-by-recipient': { max: 10, windowSeconds: HOUR },
  /** All links of one purpose, so that the server is not classified as a spam sender. */
  'mail-links': { max: 2_000, windowSeconds: HOUR },
  /**
   * POST /users/ by all applications of a user, or by one application of the operator. Half of `sign-up`, so that one
   * caller cannot exhaust that limit. `grantlog import` has no limit.
   */
  'users-by-caller': { max: 500, windowSeconds: HOUR },
  /**
   * A browser can get codes without consent. A page that renews its tokens silently does so a few times a minute.
   * `tokensPerMinutePerClient` raises this limit proportionally.
   */
  'codes-by-user': { max: 300, windowSeconds: 60 },
  /** Device codes record nothing, but take memory. An office behind one address has fewer devices. */
  'device-requests-by-address': { max: 200, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Anyone can request device codes in the name of a public client. */
  'device-requests-by-client': { max: 10_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /**
   * Wrong user codes of devices (RFC 8628 §5.1). Even with the maximum of 10,000 codes in use, out of 20⁸, an
   * account would have to guess for more than two years for a chance of one in two.
   */
  'user-code-by-account-and-place': { max: 10, windowSeconds: QUARTER_OF_AN_HOUR },
  'user-code-by-account': { max: 20, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Guesses by many accounts. */
  'user-code-by-address': { max: 60, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Forms sent in a session, except those that revoke access. Nobody fills in more than one a second. */
  'changes-by-user': { max: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Requests to the management API. A client that copies accounts from elsewhere stays below twenty a second. */
  'management-by-client': { max: 1_200, windowSeconds: 60 },
  /** Far more than a developer registers by hand. */
  'applications-by-user': { max: 200, windowSeconds: HOUR },
  /** Links that invite owners and test users. They record nothing until someone accepts. */
  'invitations-by-user': { max: 60, windowSeconds: HOUR },
  /** E-mails with invitations, to addresses that the user chooses. */
  'invitation-mails-by-user': { max: 20, windowSeconds: HOUR },
  /**
   * Registrations by clients (RFC 7591) record nothing, but cost time. Changes to a registration are recorded, and
   * count as well. No office connects that many new clients.
   */
  'registrations-by-address': { max: 200, windowSeconds: HOUR },
  /** Sector documents, which the server fetches from a URL that the developer chooses. */
  'sector-documents-by-user': { max: 60, windowSeconds: HOUR },
  /**
   * Request objects that the server fetches because a browser arrives with their URL, and key sets of clients that are
   * not in the log. Anyone can trigger these requests; a separate limit protects the client's host. An office behind
   * one address logs in less often.
   */
  'request-objects-by-address': { max: 60, windowSeconds: 60 },
  /**
   * Logins through other providers, counted at each of the two redirects. They record nothing before the provider has
   * authenticated a user, but each causes a request to the provider. All users of an office may log in at the same
   * time.
   */
  'upstream-logins-by-address': { max: 300, windowSeconds: 60 },
  /** Clients' metadata documents, which anyone can make the server fetch. No office connects that many clients. */
  'client-documents-by-address': { max: 30, windowSeconds: 60 },
  /**
   * A client that requests tokens in a loop would fill the disk. Users of a public client count individually: see
   * `TokenBudget`. The setting `tokensPerMinutePerClient` replaces this maximum.
   */
  'tokens-by-client': { max: 6_000, windowSeconds: 60 },
  /**
   * Each assertion from a client is recorded, even with a request that is then refused, or that records nothing else,
   * such as an introspection. `tokensPerMinutePerClient` raises this limit proportionally.
   */
  'assertions-by-client': { max: 30_000, windowSeconds: 60 },
  /**
   * Pushed requests are recorded nowhere, but each costs time, mostly for signatures. Public clients also count by
   * address. `tokensPerMinutePerClient` raises this limit proportionally.
   */
  'pushed-requests-by-client': { max: 6_000, windowSeconds: 60 },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, Limit>>;

/** Returns the limits for a server, which follow later changes to its settings. */
export function limitsFor(settings: { readonly tokensPerMinutePerClient: number }): Limits {
  const { max: tokens } = LIMITS['tokens-by-client'];
  const raisedLimit = (name: LimitName): Limit => {
    const { max: defaultMax, windowSeconds } = LIMITS[name];
    return {
      windowSeconds,
      get max() {
        return Math.max(defaultMax, Math.floor((settings.tokensPerMinutePerClient * defaultMax) / tokens));
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
