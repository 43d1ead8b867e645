import type { EpochSeconds } from '../../../domain/values.ts';
import type { Passkey } from '../../../projections/passkeys.ts';
import type { Paging } from '../paging.ts';
import type { FieldErrors, PageContext, PageUser } from '../render.ts';

/** The locals of the pages on which people look after their own account. */

interface LoggedInPage extends PageContext {
  readonly user: PageUser;
}

export interface SessionLocals {
  readonly id: string;
  readonly since: EpochSeconds;
  /** Such as "with a passkey"; empty where it is not known. */
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
  /** By form field: `email`, `first_name`, `last_name`. */
  readonly errors: FieldErrors;
  /** Some of them, this browser's first; and how many there are. */
  readonly sessions: readonly SessionLocals[];
  readonly sessionCount: number;
  /** The newest, and how many there are. */
  readonly passkeys: readonly PasskeyLocals[];
  readonly passkeyCount: number;
  /** Whether browsers can make passkeys for this server. */
  readonly passkeysOffered: boolean;
}

export interface ChangePasswordLocals extends LoggedInPage {
  /** By form field: `current_password`, `new_password`. */
  readonly errors: FieldErrors;
}

export interface AddPasskeyLocals extends LoggedInPage {
  /** Where alone the browser can make one: the origin of the public address. */
  readonly origin: string;
  readonly name: string;
  readonly error: string | null;
}

export interface EraseAccountLocals extends LoggedInPage {
  readonly isLastAdministrator: boolean;
  /** How many applications of theirs go on without them. */
  readonly applications: number;
  /** By form field: `username`, `password`. */
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
