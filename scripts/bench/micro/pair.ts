/** Code that is unusual for the sake of speed, and its plain alternative. Both do the same work. */
export interface Pair {
  /** The two sides, such as "random bytes: pool; randomBytes". */
  readonly name: string;
  /** The file of the unusual code, relative to `src`. */
  readonly file: string;
  readonly unusual: () => unknown;
  readonly plain: () => unknown;
}

/** A pair of asynchronous operations. */
export interface AsyncPair extends Omit<Pair, 'unusual' | 'plain'> {
  readonly unusual: () => Promise<unknown>;
  readonly plain: () => Promise<unknown>;
}
