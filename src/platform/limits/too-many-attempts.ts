import type { LimitName } from './limits.ts';

/**
 * Thrown when a rate limit is exhausted. Callers learn only the retry delay, which does not reveal whether an account
 * exists.
 */
export class TooManyAttemptsError extends Error {
  override readonly name = 'TooManyAttemptsError';
  readonly limit: LimitName;
  readonly retryAfterSeconds: number;
  /** Whether to log the error: true at most once a minute for each limit, so that refusals cannot fill the log. */
  readonly shouldLog: boolean;

  constructor(limit: LimitName, retryAfterSeconds: number, shouldLog: boolean) {
    super(`the ${limit} limit is exhausted`);
    this.limit = limit;
    this.retryAfterSeconds = retryAfterSeconds;
    this.shouldLog = shouldLog;
  }
}
