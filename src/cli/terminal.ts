/** The environment of a command: its output, its input, and when it should stop. */
export interface Terminal {
  /** Resolves when more output is accepted. */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  /** All of standard input. @throws CannotRun if it is not UTF-8 */
  readonly readInput: () => Promise<string>;
  /**
   * Asks the questions one after the other, without echo. Undefined if standard input is not a terminal.
   * @throws CannotRun if the input ended, or was interrupted, before all questions were answered
   */
  readonly askSecrets?: ((questions: readonly string[]) => Promise<readonly string[]>) | undefined;
  /** Aborts when the command should stop. */
  readonly signal: AbortSignal;
}
