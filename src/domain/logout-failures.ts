import type { LogoutFailureReason } from './events.ts';

/** Why a logout token could not be delivered. */
export interface LogoutFailure {
  readonly reason: LogoutFailureReason;
  /** The HTTP status of the last response, if that is the reason. */
  readonly status?: number | undefined;
}
