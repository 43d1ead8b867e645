/**
 * - `invalid`: the input breaks a rule.
 * - `unknown`: there is no such thing.
 * - `conflict`: the current state does not allow it; the same request may succeed later.
 */
export type RefusalKind = 'invalid' | 'unknown' | 'conflict';

/** An invalid member of the input, with the names and indexes that lead to it. */
export interface InputProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The operation was refused. The message is one line that tells the operator what to do. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  readonly kind: RefusalKind;
  /** Empty unless the input does not match its schema. */
  readonly problems: readonly InputProblem[];

  constructor(message: string, kind: RefusalKind = 'invalid', problems: readonly InputProblem[] = []) {
    super(message);
    this.kind = kind;
    this.problems = problems;
  }
}
