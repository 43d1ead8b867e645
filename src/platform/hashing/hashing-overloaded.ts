/** Why a request for a slow hash was refused. */
export const HASH_REFUSALS = ['line-full', 'account-in-many-lanes', 'waited-too-long'] as const;
export type HashRefusal = (typeof HASH_REFUSALS)[number];

/** More hashes wait than can be computed in time. This one was not computed. */
export class HashingOverloaded extends Error {
  override readonly name = 'HashingOverloaded';
  /** A whole number, 1 or more: by then all that wait now are done, if hashes take as long as they do at present. */
  readonly retryAfterSeconds: number;

  constructor(reason: HashRefusal, retryAfterSeconds: number) {
    super(`too many slow hashes wait (${reason})`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** For a hash that can be left for another time: undefined instead of `HashingOverloaded`. */
export function unlessOverloaded(error: unknown): undefined {
  if (!(error instanceof HashingOverloaded)) throw error;
}
