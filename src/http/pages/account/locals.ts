import type { EpochSeconds } from '../../../domain/values.ts';
import type { Passkey } from '../../../projections/passkeys.ts';
import type { ScopeDescription } from '../authorize/locals.ts';
import type { FieldErrors, PageContext, PageUser } from '../page-context.ts';
import type { Paging } from '../paging.ts';
import type { ProfileFormGroup } from './profile-form.ts';
import type { AuthorizedApplicationLocals, GrantLocals } from './authorization-lookup.ts';

export interface LoginLocals extends PageContext {
  /** The path to continue to. Empty for the home page. */
  readonly next: string;
  readonly username: string;
  readonly error: string | null;
  readonly signupOpen: boolean;
  /** The only origin at which passkeys work, or null if they don't work at all. */
  readonly passkeyOrigin: string | null;
}

export interface NewAccountLocals extends PageContext {
  readonly values: { readonly username: string; readonly email: string };
  readonly errors: FieldErrors;
}

export interface SignupLocals extends NewAccountLocals {
  /** The path to continue to. Empty for the home page. */
  readonly next: string;
}

export interface SetupLocals extends NewAccountLocals {
  /** The one-time secret of the set-up link. */
  readonly token: string;
}

/** Locals of the pages of the user's own account. */

interface LoggedInPage extends PageContext {
  readonly user: PageUser;
}

export interface SessionLocals {
  readonly id: string;
  readonly since: EpochSeconds;
  /** How the user logged in, such as "with a passkey". Empty if unknown. */
  readonly how: string;
  /** Such as "Firefox on Linux"; null if unknown. */
  readonly browser: string | null;
  readonly isCurrent: boolean;
  /** The first applications that were authorized from this session, by name. `applicationCount` counts all. */
  readonly applications: readonly string[];
  readonly applicationCount: number;
  /** The first of them whose access ends with the session. */
  readonly ending: readonly string[];
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

export interface ProfileLocals extends LoggedInPage {
  readonly groups: readonly ProfileFormGroup[];
  readonly timeZones: readonly string[];
  /** Keys: the names of fields. */
  readonly errors: FieldErrors;
}

export interface AccountLocals extends LoggedInPage {
  /** The other fields of the profile that are filled in. */
  readonly profile: readonly { readonly title: string; readonly lines: readonly string[] }[];
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
  /** Where a copy of the user's key remains; null if it remains nowhere that this server knows of. */
  readonly keyNote: string | null;
  /** Keys: `username`, `password`. */
  readonly errors: FieldErrors;
}

type AuthorizedApplication = AuthorizedApplicationLocals & {
  readonly owner: string;
  readonly scopes: readonly ScopeDescription[];
  /** The data that it gets by name, besides that of the scopes, in words. Empty if none. */
  readonly sharesByName: string;
  /** Where the application starts a login of the user; null if it offers none. */
  readonly openUrl: string | null;
};

export interface AuthorizedTokensLocals extends PageContext {
  readonly paging: Paging;
  readonly applications: readonly (AuthorizedApplication & {
    /** The newest authorizations. */
    readonly newest: readonly GrantLocals[];
  })[];
}

export interface AuthorizedApplicationPageLocals extends PageContext {
  readonly paging: Paging;
  readonly application: AuthorizedApplication;
  readonly grants: readonly GrantLocals[];
}

export interface AccountPages {
  login(locals: LoginLocals): string;
  setup(locals: SetupLocals): string;
  signup(locals: SignupLocals): string;
  authorizedTokens(locals: AuthorizedTokensLocals): string;
  authorizedApplication(locals: AuthorizedApplicationPageLocals): string;
  account(locals: AccountLocals): string;
  profile(locals: ProfileLocals): string;
  sessions(locals: SessionListLocals): string;
  passkeys(locals: PasskeyListLocals): string;
  changePassword(locals: ChangePasswordLocals): string;
  addPasskey(locals: AddPasskeyLocals): string;
  eraseAccount(locals: EraseAccountLocals): string;
}
