/** The report of one process of the test suite. */
export interface BatchReport {
  readonly passes: number;
  readonly pending: number;
  /** Includes failed hooks. */
  readonly failures: number;
  /** One line for each failure: the file, the full title, the error. */
  readonly failureLines: readonly string[];
  /** The files with at least one test that ran. */
  readonly files: readonly FileReport[];
}

export interface FileReport {
  /** Relative to the project's root. */
  readonly file: string;
  tests: number;
  /** Includes failed hooks, which can keep all tests from running. */
  failures: number;
  milliseconds: number;
  /** The processor time of this process and its children. */
  processorMilliseconds: number;
}
