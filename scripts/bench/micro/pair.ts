/** Code optimized for speed, and its baseline. Both do the same work. */
export interface Pair {
  /** The work and its two implementations, such as "random bytes: pool vs. randomBytes". */
  readonly name: string;
  /** The file of the optimized code, relative to `src`. */
  readonly file: string;
  readonly optimized: () => unknown;
  readonly baseline: () => unknown;
}

/** A pair of asynchronous operations. */
export interface AsyncPair extends Omit<Pair, 'optimized' | 'baseline'> {
  readonly optimized: () => Promise<unknown>;
  readonly baseline: () => Promise<unknown>;
}
