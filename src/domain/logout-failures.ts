import type { LogoutFailureReason } from './events.ts';

/** The reason why a logout token was not delivered. */
export interface LogoutFailure {
  readonly reason: LogoutFailureReason;
  /** The HTTP status of the last response; absent unless the status is the reason. */
  readonly status?: number | undefined;
}
