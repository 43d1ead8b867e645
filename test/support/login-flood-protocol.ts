/** What the login drill and the process that floods for it have to agree on. */

/** What the process that floods is told. */
export interface FloodOrder {
  readonly origin: string;
  /** One each for a connection; a connection sends its next log-in when it has the answer to the last one. */
  readonly senders: readonly { readonly address: string; readonly username?: string }[];
  readonly password: string;
  /** Of the log-in form. */
  readonly csrfToken: string;
  readonly cookie: string;
  /** How a log-in is answered for which a hash was computed. */
  readonly hashed: readonly number[];
}

/** What it answers when it is told to stop. */
export interface FloodReport {
  /** How many answers, by status. */
  readonly answers: Readonly<Record<string, number>>;
  /** When each hashed log-in was answered: milliseconds since the epoch, with fractions. */
  readonly hashedAt: readonly number[];
}

/** The time of this process on a scale that is the same for all processes of the machine. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}
