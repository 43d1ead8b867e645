/**
 * - `invalid`: the input breaks a rule.
 * - `unknown`: the input refers to something that does not exist.
 * - `conflict`: the current state does not allow the operation; the same input may be accepted later.
 */
export type RefusalKind = 'invalid' | 'unknown' | 'conflict';

/** An invalid member of the input, with the names and indexes that lead to it. */
export interface InputProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Thrown when an operation is refused. The message is one line that tells the operator what to do. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  readonly kind: RefusalKind;
  /** The invalid members, if the refusal depends only on the input; otherwise empty. */
  readonly problems: readonly InputProblem[];

  constructor(message: string, kind: RefusalKind = 'invalid', problems: readonly InputProblem[] = []) {
    super(message);
    this.kind = kind;
    this.problems = problems;
  }
}
