// Scripts rely on these exit statuses.
/** Success. */
export const DONE = 0;
/** A finding, a refused operation, or a server whose log failed. */
export const REFUSED = 1;
/** A usage error, or a command that cannot run. */
export const CANNOT_RUN = 2;

export type ExitStatus = typeof DONE | typeof REFUSED | typeof CANNOT_RUN;

/** Thrown when a command cannot run. The message is for the operator and is printed without a stack trace. */
export class CannotRunError extends Error {
  override readonly name = 'CannotRunError';
}
