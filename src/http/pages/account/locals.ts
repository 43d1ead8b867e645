import type { EpochSeconds } from '../../../domain/values.ts';
import type { Passkey } from '../../../projections/passkeys.ts';
import type { Paging } from '../paging.ts';
import type { FieldErrors, PageContext, PageUser } from '../render.ts';

/** Locals of the pages of the user's own account. */

interface LoggedInPage extends PageContext {
  readonly user: PageUser;
}

export interface SessionLocals {
  readonly id: string;
  readonly since: EpochSeconds;
  /** How the user logged in, such as "with a passkey". Empty if unknown. */
  readonly how: string;
  readonly isThisOne: boolean;
}

export interface PasskeyLocals {
  readonly id: string;
  readonly name: string;
  readonly since: EpochSeconds;
}

export function passkeyLocals({ passkeyId, name, addedAt }: Passkey): PasskeyLocals {
  return { id: passkeyId, name, since: addedAt as EpochSeconds };
}

export interface SessionListLocals extends LoggedInPage {
  readonly paging: Paging;
  readonly sessions: readonly SessionLocals[];
}

export interface PasskeyListLocals extends LoggedInPage {
  readonly paging: Paging;
  readonly passkeys: readonly PasskeyLocals[];
}

export interface AccountLocals extends LoggedInPage {
  readonly values: { readonly email: string; readonly firstName: string; readonly lastName: string };
  /** Keys: `email`, `first_name`, `last_name`. */
  readonly errors: FieldErrors;
  /** The first few sessions, this browser's first. `sessionCount` counts all. */
  readonly sessions: readonly SessionLocals[];
  readonly sessionCount: number;
  /** The newest passkeys. `passkeyCount` counts all. */
  readonly passkeys: readonly PasskeyLocals[];
  readonly passkeyCount: number;
  /** Whether passkeys can be used at the server's public address. */
  readonly passkeysOffered: boolean;
}

export interface ChangePasswordLocals extends LoggedInPage {
  /** Keys: `current_password`, `new_password`. */
  readonly errors: FieldErrors;
}

export interface AddPasskeyLocals extends LoggedInPage {
  /** The origin of the public address. Browsers create passkeys only there. */
  readonly origin: string;
  readonly name: string;
  readonly error: string | null;
}

export interface EraseAccountLocals extends LoggedInPage {
  readonly isLastAdministrator: boolean;
  /** The number of applications that the user registered, which outlive the account. */
  readonly applications: number;
  /** Keys: `username`, `password`. */
  readonly errors: FieldErrors;
}

export interface AccountPages {
  account(locals: AccountLocals): string;
  sessions(locals: SessionListLocals): string;
  passkeys(locals: PasskeyListLocals): string;
  changePassword(locals: ChangePasswordLocals): string;
  addPasskey(locals: AddPasskeyLocals): string;
  eraseAccount(locals: EraseAccountLocals): string;
}
