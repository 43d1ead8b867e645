/** The outside of a command: where it prints, what it is given, and when it should stop. */
export interface Terminal {
  /** Resolves when there is room for more. */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  /** All of standard input. @throws CannotRun it is not UTF-8 */
  readonly readInput: () => Promise<string>;
  /**
   * Asks these questions one after the other, without showing what is typed. Missing where standard input is no
   * terminal: there is nobody to ask. @throws CannotRun the input ended, or was interrupted, before all were answered
   */
  readonly askSecrets?: ((questions: readonly string[]) => Promise<readonly string[]>) | undefined;
  /** Aborts when nobody wants the command to go on. */
  readonly signal: AbortSignal;
}
