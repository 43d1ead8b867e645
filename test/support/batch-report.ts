/** What one process of the test suite did. */
export interface BatchReport {
  readonly passes: number;
  readonly pending: number;
  /** Counts hooks that failed, too. */
  readonly failures: number;
  /** The files of which at least one test ran. */
  readonly files: readonly FileReport[];
}

export interface FileReport {
  /** From the project's root. */
  readonly file: string;
  tests: number;
  milliseconds: number;
  /** Of this process and of those that it started. */
  processorMilliseconds: number;
}
