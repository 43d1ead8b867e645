/** Allows `max` actions within a window, which the first action opens. */
export interface Limit {
  readonly max: number;
  readonly windowSeconds: number;
}

const QUARTER_OF_AN_HOUR = 900;
const HOUR = 3_600;

/**
 * All rate limits. Limits on guesses count failures and attempts in progress. Their window is the longest time that
 * anybody can be locked out, because refused attempts are not counted.
 */
export const LIMITS = {
  /** Nobody mistypes a password that often, and eighty guesses an hour find only the most common passwords. */
  'password-by-account-and-place': { max: 20, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Many machines against one account. Higher than for one source, so that one source alone cannot exhaust it. */
  'password-by-account': { max: 60, windowSeconds: QUARTER_OF_AN_HOUR },
  /** One machine against many accounts. An office behind one address makes fewer typing errors. */
  'password-by-address': { max: 100, windowSeconds: QUARTER_OF_AN_HOUR },
  /** In the password grant, the source is a client with many users. */
  'password-by-client': { max: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** A user can register hundreds of clients, which together get no more guesses than one. */
  'password-by-address-of-clients': { max: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /**
   * Each login grows the log by a session. A test suite that logs in before each test stays below one login every two
   * seconds. Counted only after a correct password, so strangers can neither exhaust it nor find out which accounts
   * exist.
   */
  'log-in-by-account': { max: 500, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Likewise. An application can use one account for everything, and request a token each time. */
  'password-grant-by-account': { max: 10_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Affects user-chosen secrets only. A program with an outdated secret retries now and then. */
  'client-secret-by-client-and-address': { max: 50, windowSeconds: QUARTER_OF_AN_HOUR },
  'client-secret-by-client': { max: 300, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Many clients can share an address. A correct generated secret is accepted regardless. */
  'client-secret-by-address': { max: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** A few typing errors in the setup link. */
  'set-up-by-address': { max: 10, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Enough for a class that signs up together. While sign-up is open, the sample API counts here, too. */
  'sign-up-by-address': { max: 40, windowSeconds: HOUR },
  /**
   * Sign-up is the only way for anonymous callers to grow the log. This limits them from any number of addresses.
   * Accounts that the sample API creates always count, because otherwise it would bypass the limit.
   */
  'sign-up': { max: 1_000, windowSeconds: HOUR },
  /**
   * POST /users/ by all applications of a user, or by one application of the operator. Half of `sign-up`, so that
   * nobody exhausts it for everybody. `grantlog import` has no limit.
   */
  'users-by-caller': { max: 500, windowSeconds: HOUR },
  /**
   * A browser can get codes without consent. A page that renews its tokens silently does so a few times a minute.
   * `tokensPerMinutePerClient` raises this limit proportionally.
   */
  'codes-by-user': { max: 300, windowSeconds: 60 },
  /** Forms sent in a session, except those that revoke access. Nobody fills in more than one a second. */
  'changes-by-user': { max: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Far more than a developer registers by hand. */
  'applications-by-user': { max: 200, windowSeconds: HOUR },
  /** Sector documents, which the server reads at an address that the developer chooses. */
  'sector-documents-by-user': { max: 60, windowSeconds: HOUR },
  /**
   * A client that requests tokens in a loop would fill the disk. Users of a public client count individually: see
   * `TokenBudget`. The setting `tokensPerMinutePerClient` replaces the number.
   */
  'tokens-by-client': { max: 6_000, windowSeconds: 60 },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, Limit>>;

/** The limits of a server with these settings. */
export function limitsFor({ tokensPerMinutePerClient: max }: { readonly tokensPerMinutePerClient: number }): Limits {
  const [codes, tokens] = [LIMITS['codes-by-user'], LIMITS['tokens-by-client']];
  const maxCodes = Math.max(codes.max, Math.floor((max * codes.max) / tokens.max));
  return { ...LIMITS, 'codes-by-user': { ...codes, max: maxCodes }, 'tokens-by-client': { ...tokens, max } };
}

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];
