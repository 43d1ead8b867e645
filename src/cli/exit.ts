/** Exit statuses: fixed, scripts rely on them. */
export const DONE = 0;
/** A finding, or an operation that said no. */
export const REFUSED = 1;
/** Wrong usage, or something that cannot run. */
export const CANNOT_RUN = 2;

export type ExitStatus = typeof DONE | typeof REFUSED | typeof CANNOT_RUN;

/** A command that cannot run: lines for the operator, no stack trace. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
