/** The protocol between the login drill and its flooding process. */

/** The instructions for the flooding process. */
export interface FloodOrder {
  readonly origin: string;
  /** One for each connection. It sends its next login after the response to the last one. */
  readonly senders: readonly { readonly address: string; readonly username?: string }[];
  readonly password: string;
  /** The CSRF token of the login form. */
  readonly csrfToken: string;
  readonly cookie: string;
  /** The statuses of logins whose passwords were hashed. */
  readonly hashedStatuses: readonly number[];
}

/** The report that the flooding process sends when it is told to stop. */
export interface FloodReport {
  /** The number of responses by status; 0 is a failed connection. */
  readonly responses: Readonly<Record<string, number>>;
  /** The time of each response to a hashed login: milliseconds since the epoch, with fractions. */
  readonly hashedAt: readonly number[];
}

/** Returns the current time on a clock that all processes on the machine share. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}
