import type { EpochSeconds } from '../../../domain/values.ts';
import type { Text } from '../../../language/message.ts';

/** A session, as shown in lists of a user's sessions. */
export interface SessionLocals {
  readonly id: string;
  readonly since: EpochSeconds;
  /** The last known use. `isExact` is false if the session may have been used again later that day. */
  readonly lastUse: { readonly at: EpochSeconds; readonly isExact: boolean };
  /** The login method, such as "with a passkey"; empty if unknown. */
  readonly how: Text;
  /** The browser, such as "Firefox on Linux"; null if unknown. */
  readonly browser: Text | null;
  readonly isCurrent: boolean;
  /** The names of the first few applications authorized in this session. `applicationCount` counts all of them. */
  readonly applications: readonly string[];
  readonly applicationCount: number;
  /**
   * The names of the first few pairs of applications in which one passed access from this session on to the other.
   * `passedOnCount` counts all pairs.
   */
  readonly passedOn: readonly { readonly from: string; readonly to: string }[];
  readonly passedOnCount: number;
  /** The names of the first few applications whose access ends with the session. `endingCount` counts all of them. */
  readonly ending: readonly string[];
  readonly endingCount: number;
}
