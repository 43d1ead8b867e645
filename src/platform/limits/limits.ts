/** So many within the window that the first one opens; then none until that window is over. */
export interface Limit {
  readonly most: number;
  readonly windowSeconds: number;
}

const QUARTER_OF_AN_HOUR = 900;
const HOUR = 3_600;

/**
 * All limits there are. Those on guesses count failures, and attempts while they are being checked. Their window is
 * the longest time for which anybody can be locked out: a refused attempt is not counted, so nothing makes it longer.
 */
export const LIMITS = {
  /** Nobody mistypes a password so often, and eighty guesses an hour find only what is on the shortest of lists. */
  'password-by-account-and-place': { most: 20, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Many machines on one account. More than one place has, so that one place alone cannot use it up for the others. */
  'password-by-account': { most: 60, windowSeconds: QUARTER_OF_AN_HOUR },
  /** One machine on many accounts. A household or an office behind one address has that many typos at most. */
  'password-by-address': { most: 100, windowSeconds: QUARTER_OF_AN_HOUR },
  /** The password grant's place is a server with many people behind it. */
  'password-by-client': { most: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Whoever has an account can register clients by the hundred: no more guesses come of them than of one. */
  'password-by-address-of-clients': { most: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /**
   * A right password that is sent again and again grows the log by a session each time. A test suite that logs in
   * before each test stays below one every two seconds. Counted only once the password was right, so a stranger
   * neither uses it up nor learns from it which accounts exist.
   */
  'log-in-by-account': { most: 500, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Likewise. An application may use one account for all that it does, and ask for a token each time. */
  'password-grant-by-account': { most: 10_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Bites only on secrets that a person may have chosen; a program with an old one retries now and then. */
  'client-secret-by-client-and-address': { most: 50, windowSeconds: QUARTER_OF_AN_HOUR },
  'client-secret-by-client': { most: 300, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Many clients may share an address, and the right secret of 256 bits goes through all the same. */
  'client-secret-by-address': { most: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** The link is copied, or mistyped a few times. */
  'set-up-by-address': { most: 10, windowSeconds: QUARTER_OF_AN_HOUR },
  /** A class that signs up together in one room; while sign-up is open, the sample API counts here, too. */
  'sign-up-by-address': { most: 40, windowSeconds: HOUR },
  /**
   * Sign-up is the one way to grow the log without being known: not by more than this, from however many addresses.
   * Accounts that the sample API creates count, whether sign-up is open or closed: otherwise it would be a way around
   * this.
   */
  'sign-up': { most: 1_000, windowSeconds: HOUR },
  /**
   * POST /users/ by one user's applications together, or by one application of the operator's: half of `sign-up`, so
   * that nobody uses up everybody's. `grantlog import` takes longer lists, and has no limit.
   */
  'users-by-caller': { most: 500, windowSeconds: HOUR },
  /**
   * A browser may get codes without anybody being asked. A page that renews its tokens silently asks a few times a
   * minute. `tokensPerMinutePerClient` raises the number with its own.
   */
  'codes-by-user': { most: 300, windowSeconds: 60 },
  /** Forms that a session sends, but for those that end access: nobody fills in more than one a second. */
  'changes-by-user': { most: 1_000, windowSeconds: QUARTER_OF_AN_HOUR },
  /** Far more than a developer registers by hand. */
  'applications-by-user': { most: 200, windowSeconds: HOUR },
  /**
   * One client that asks in a loop fills the disk. The users of a public client count one by one: see `TokenBudget`.
   * `tokensPerMinutePerClient` replaces the number.
   */
  'tokens-by-client': { most: 6_000, windowSeconds: 60 },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof LIMITS;
export type Limits = Readonly<Record<LimitName, Limit>>;

/** The limits of a server with these settings. */
export function limitsFor({ tokensPerMinutePerClient: most }: { readonly tokensPerMinutePerClient: number }): Limits {
  const [codes, tokens] = [LIMITS['codes-by-user'], LIMITS['tokens-by-client']];
  const mostCodes = Math.max(codes.most, Math.floor((most * codes.most) / tokens.most));
  return { ...LIMITS, 'codes-by-user': { ...codes, most: mostCodes }, 'tokens-by-client': { ...tokens, most } };
}

export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];
