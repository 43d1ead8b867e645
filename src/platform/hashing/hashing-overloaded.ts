/** The reasons why a request for a slow hash is refused. */
export const HASH_REFUSALS = ['line-full', 'account-in-many-lanes', 'waited-too-long'] as const;
export type HashRefusal = (typeof HASH_REFUSALS)[number];

/** Thrown when so many hashes are waiting that this one cannot be computed in time. */
export class HashingOverloadedError extends Error {
  override readonly name = 'HashingOverloadedError';
  /** The time until the current queue is expected to be empty: an integer of at least 1. */
  readonly retryAfterSeconds: number;

  constructor(reason: HashRefusal, retryAfterSeconds: number) {
    super(`too many slow hashes are waiting (${reason})`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An error handler for optional hashes: ignores `HashingOverloadedError`, and rethrows other errors. */
export function ignoreOverload(error: unknown): undefined {
  if (!(error instanceof HashingOverloadedError)) throw error;
}
