import type { EpochSeconds } from '../../../domain/values.ts';
import type { Text } from '../../../language/message.ts';

/** A session, as shown in lists of a user's sessions. */
export interface SessionLocals {
  readonly id: string;
  readonly since: EpochSeconds;
  /** `isExact` is false if only the first use of that day is known. */
  readonly lastUse: { readonly at: EpochSeconds; readonly isExact: boolean };
  /** How the user logged in, such as "with a passkey". Empty if unknown. */
  readonly how: Text;
  /** The browser, such as "Firefox on Linux"; null if unknown. */
  readonly browser: Text | null;
  readonly isCurrent: boolean;
  /** The names of the first few applications authorized from this session. `applicationCount` counts all of them. */
  readonly applications: readonly string[];
  readonly applicationCount: number;
  /**
   * The first few pairs of applications of which one passed access from this session on to the other, by name.
   * `passedOnCount` counts all of them.
   */
  readonly passedOn: readonly { readonly from: string; readonly to: string }[];
  readonly passedOnCount: number;
  /** The names of the first few applications whose access ends with the session. `endingCount` counts all of them. */
  readonly ending: readonly string[];
  readonly endingCount: number;
}
