/** The outside of a command: where it prints, what it is given, and when it should stop. */
export interface Terminal {
  /** Resolves when there is room for more. */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  /** All of standard input. @throws CannotRun it is not UTF-8 */
  readonly readInput: () => Promise<string>;
  /** Aborts when nobody wants the command to go on. */
  readonly signal: AbortSignal;
}
