const TIMED_OUT = 'ETIMEDOUT';

/**
 * Returns the error code of a failed connection. Node abandons each address but the last after a moment, and reports
 * the code of the first one. If any address was abandoned, the failure counts as a timeout: the last address might be
 * one that this server can never reach, such as an IPv6 address.
 */
export function connectionCode(error: NodeJS.ErrnoException): string {
  const attempts: readonly NodeJS.ErrnoException[] = error instanceof AggregateError ? error.errors : [];
  return attempts.some(({ code }) => code === TIMED_OUT) ? TIMED_OUT : (error.code ?? 'unknown error');
}
