import type { LimitName } from './limits.ts';

/** A limit is used up. What it says to the caller is the time, which is the same for what exists and what does not. */
export class TooManyAttempts extends Error {
  override readonly name = 'TooManyAttempts';
  readonly limit: LimitName;
  readonly retryAfterSeconds: number;
  /** Whether to write a line about it: once a minute for each limit, so that refusals cannot fill the log. */
  readonly shouldLog: boolean;

  constructor(limit: LimitName, retryAfterSeconds: number, isNews: boolean) {
    super(`the limit ${limit} is used up`);
    this.limit = limit;
    this.retryAfterSeconds = retryAfterSeconds;
    this.shouldLog = isNews;
  }
}
