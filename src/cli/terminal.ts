/** The environment of a command: its output, its input, and the signal to stop. */
export interface Terminal {
  /** Resolves when more output is accepted. */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  /** The width that tables must fit in. Undefined if output goes to a program, which needs each row on one line. */
  readonly tableWidth?: number | undefined;
  /**
   * Reads all of standard input.
   * @throws CannotRunError if it is not UTF-8
   */
  readonly readInput: () => Promise<string>;
  /**
   * Asks the questions one at a time, without echo. Undefined if standard input is not a terminal.
   * @throws CannotRunError if the input ends, or is interrupted, before all questions are answered
   */
  readonly askSecrets?: ((questions: readonly string[]) => Promise<readonly string[]>) | undefined;
  /** Asks a question and resolves with the answer. Undefined if standard input is not a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Aborts when the command should stop. */
  readonly signal: AbortSignal;
}
