import type { EpochSeconds } from '../domain/values.ts';
import type { FieldErrors, PageContext, PageUser } from './render.ts';

/** The locals of the pages on which people look after their own account. */

interface OwnPage extends PageContext {
  readonly user: PageUser;
}

export interface AccountLocals extends OwnPage {
  readonly values: { readonly email: string; readonly firstName: string; readonly lastName: string };
  /** By form field: `email`, `first_name`, `last_name`. */
  readonly errors: FieldErrors;
  readonly sessions: readonly {
    readonly id: string;
    readonly since: EpochSeconds;
    /** Such as "with a passkey"; empty where it is not known. */
    readonly how: string;
    readonly isThisOne: boolean;
  }[];
  readonly passkeys: readonly { readonly id: string; readonly name: string; readonly since: EpochSeconds }[];
  /** Whether browsers can make passkeys for this server. */
  readonly passkeysOffered: boolean;
}

export interface ChangePasswordLocals extends OwnPage {
  /** By form field: `current_password`, `new_password`. */
  readonly errors: FieldErrors;
}

export interface AddPasskeyLocals extends OwnPage {
  /** Where alone the browser can make one: the origin of the public address. */
  readonly origin: string;
  readonly name: string;
  readonly error: string | null;
}

export interface EraseAccountLocals extends OwnPage {
  readonly isLastAdministrator: boolean;
  /** How many applications of theirs go on without them. */
  readonly applications: number;
  /** By form field: `username`, `password`. */
  readonly errors: FieldErrors;
}

export interface AccountPages {
  account(locals: AccountLocals): string;
  changePassword(locals: ChangePasswordLocals): string;
  addPasskey(locals: AddPasskeyLocals): string;
  eraseAccount(locals: EraseAccountLocals): string;
}
