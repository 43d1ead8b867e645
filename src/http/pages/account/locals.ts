import type { DescribedDetail } from '../authorize/described-details.ts';
import type { AgentPlace } from '../../../audit/queries/connected-agents.ts';
import type { OwnActivity } from '../../../audit/queries/own-activity.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Text } from '../../../language/message.ts';
import type { Passkey } from '../../../projections/passkeys.ts';
import type { EndingAccessLocals } from '../ending-access.ts';
import type { FieldErrors, PageContext, PageUser } from '../page-context.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { Paging } from '../paging.ts';
import type { QrCode } from '../qr-code.ts';
import type { TwoStepStatus } from './two-step-status.ts';
import type { ProfileFormGroup } from './profile-form.ts';
import type { SessionLocals } from './session-locals.ts';
import type { RequestingApplication } from './requesting-application.ts';
import type { PassedOnAccess } from '../../../audit/queries/passed-on.ts';
import type { GrantLocals } from './grant-locals.ts';
import type { DescribedApplication } from './authorized-locals.ts';

export interface LoginLocals extends PageContext {
  /** The path to continue to, with its query; `/` for the home page. */
  readonly next: string;
  readonly username: string;
  readonly error: Text | null;
  readonly signupOpen: boolean;
  /** The application that the user continues to after the login, or null. */
  readonly application: RequestingApplication | null;
  /** Whether users can request an e-mail with a link for choosing a new password. */
  readonly isMailOn: boolean;
  /** Whether users can log in with a password; false while a provider is required. */
  readonly hasPasswords: boolean;
  /** The providers through which users can log in. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
  /** The only origin at which passkeys work, or null if this server does not support passkeys. */
  readonly passkeyOrigin: string | null;
}

export interface NewAccountLocals extends PageContext {
  readonly values: { readonly username: string; readonly email: string };
  readonly errors: FieldErrors;
}

export interface SignupLocals extends NewAccountLocals {
  /** The path to continue to, with its query; `/` for the home page. */
  readonly next: string;
  /** A problem that does not concern a field, or null. */
  readonly error: Text | null;
  /** The application that the user continues to after the sign-up, or null. */
  readonly application: RequestingApplication | null;
}

export interface ForgotPasswordLocals extends PageContext {
  readonly isMailOn: boolean;
  readonly error: Text | null;
}

/** Locals for the pages that e-mailed links open. */
interface MailLinkLocals extends PageContext {
  readonly token: string;
  readonly username: string;
}

export interface ResetPasswordLocals extends MailLinkLocals {
  /** Key: `new_password`. */
  readonly errors: FieldErrors;
}

export interface AccountInvitationLocals extends MailLinkLocals {
  readonly email: string;
  /** The name of the provider through which the user will log in; null if the user chooses a password. */
  readonly provider: string | null;
  /** Keys: `username`, `password`. */
  readonly errors: FieldErrors;
}

export interface VerifyEmailLocals extends MailLinkLocals {
  readonly email: string;
}

export interface SetupLocals extends NewAccountLocals {
  /** The one-time secret of the set-up link. */
  readonly token: string;
}

/** Locals for the pages of the user's own account. */
interface OwnAccountLocals extends PageContext {
  readonly user: PageUser;
}

export interface PasskeyLocals {
  readonly id: string;
  readonly name: string;
  readonly since: EpochSeconds;
}

export function passkeyLocals({ passkeyId, name, addedAt }: Passkey): PasskeyLocals {
  return { id: passkeyId, name, since: addedAt as EpochSeconds };
}

export interface SessionListLocals extends OwnAccountLocals, EndingAccessLocals {
  readonly paging: Paging;
  readonly sessions: readonly SessionLocals[];
}

export interface ActivityLocals extends OwnAccountLocals {
  readonly filters: readonly { readonly href: string; readonly label: Text; readonly isCurrent: boolean }[];
  readonly paging: Paging;
  readonly entries: readonly OwnActivity[];
  /** Whether entries link to their events, which only auditors and administrators may see. */
  readonly linksToEvents: boolean;
}

export interface PasskeyListLocals extends OwnAccountLocals {
  readonly paging: Paging;
  readonly passkeys: readonly PasskeyLocals[];
  /** Whether passkeys work at the server's public URL. */
  readonly passkeysOffered: boolean;
}

export interface ProfileLocals extends OwnAccountLocals {
  readonly groups: readonly ProfileFormGroup[];
  readonly timeZones: readonly string[];
  /** Keys: the names of fields. */
  readonly errors: FieldErrors;
}

export interface AccountLocals extends OwnAccountLocals, EndingAccessLocals {
  readonly values: { readonly email: string; readonly firstName: string; readonly lastName: string };
  /** The state of the saved address; null if no address is saved. */
  readonly email: {
    readonly isVerified: boolean;
    readonly canSendLink: boolean;
    /** The page where administrators mark their own address as verified; null for other users. */
    readonly adminPage: string | null;
  } | null;
  /** Whether changing the address requires the current password. */
  readonly needsPassword: boolean;
  /** Keys: `email`, `first_name`, `last_name`, `current_password`. */
  readonly errors: FieldErrors;
  readonly groups: readonly string[];
  /** The first few sessions, starting with the current one. `sessionCount` counts all of the user's sessions. */
  readonly sessions: readonly SessionLocals[];
  readonly sessionCount: number;
  /** The newest passkeys. `passkeyCount` counts all of the user's passkeys. */
  readonly passkeys: readonly PasskeyLocals[];
  readonly passkeyCount: number;
  /** Whether passkeys work at the server's public URL. */
  readonly passkeysOffered: boolean;
  readonly twoStep: TwoStepStatus;
}

export interface WaysLocals extends OwnAccountLocals {
  /** `off` if the user has a password but users must log in through a provider. */
  readonly password: 'usable' | 'off' | 'none';
  readonly passkeyCount: number;
  readonly isTwoStepOn: boolean;
  /** The linked accounts, oldest first. `email` is empty if the address is unknown. */
  readonly accounts: readonly {
    readonly id: string;
    readonly provider: string;
    readonly email: string;
    readonly since: EpochSeconds;
    /** Whether the provider is still set up and enabled. */
    readonly isUsable: boolean;
  }[];
  /** The providers at which the user can link an account. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
}

export interface ChangePasswordLocals extends OwnAccountLocals, EndingAccessLocals {
  readonly needsPassword: boolean;
  /** Keys: `current_password`, `new_password`. */
  readonly errors: FieldErrors;
}

export interface AddPasskeyLocals extends OwnAccountLocals {
  /** The origin of the public URL: the only origin at which browsers create passkeys for this server. */
  readonly origin: string;
  readonly needsPassword: boolean;
  readonly name: string;
  readonly error: Text | null;
}

export interface EraseAccountLocals extends OwnAccountLocals {
  readonly isLastAdministrator: boolean;
  readonly needsPassword: boolean;
  /** The number of applications that the user owns. These applications outlive the account. */
  readonly applicationCount: number;
  /** A note about remaining copies of the user's key; null unless the keys are in a database. */
  readonly keyNote: Text | null;
  /** Keys: `username`, `password`; `account` for an account that cannot be erased. */
  readonly errors: FieldErrors;
}

export interface AuthorizedApplicationsLocals extends ListPageLocals {
  readonly applications: readonly DescribedApplication[];
}

export interface AuthorizedApplicationPageLocals extends PageContext {
  readonly paging: Paging;
  readonly application: DescribedApplication;
  readonly grants: readonly (GrantLocals & {
    readonly details: readonly DescribedDetail[];
    /** The access that applications passed on by exchanging the grant's tokens, if the resulting tokens are valid. */
    readonly passedOn: { readonly newest: readonly PassedOnAccess[]; readonly others: number };
  })[];
}

export interface ConnectedAgentsLocals extends PageContext {
  readonly paging: Paging;
  /** The number of agents on all pages of the list. */
  readonly count: number;
  readonly agents: readonly (DescribedApplication & { readonly places: readonly AgentPlace[] })[];
}

export interface SecondStepLocals extends PageContext {
  readonly username: string;
  /** The path to continue to. */
  readonly next: string;
  readonly error: Text | null;
  readonly hasApp: boolean;
  /** The only origin at which the user's passkeys work; null without passkeys or without support for passkeys. */
  readonly passkeyOrigin: string | null;
  /** The number of unused recovery codes. */
  readonly codesLeft: number;
}

export interface AddAppLocals extends PageContext {
  readonly action: string;
  readonly next: string;
  /** The secret for the authenticator app, in groups of four characters. */
  readonly secret: string;
  /** The `otpauth:` URI, which opens in an app on the same device. */
  readonly uri: string;
  readonly qrCode: QrCode;
  /** Whether the user must add an app in order to log in. */
  readonly isRequired: boolean;
  readonly needsPassword: boolean;
  /** Keys: `code`, `password`. */
  readonly errors: FieldErrors;
}

export interface RecoveryCodesLocals extends OwnAccountLocals {
  /** The codes; null if they have already been shown, or if the page was opened too late. */
  readonly recoveryCodes: readonly string[] | null;
  readonly next: string;
}

export interface TwoStepLocals extends OwnAccountLocals {
  readonly status: TwoStepStatus;
}

export interface ConfirmTwoStepLocals extends TwoStepLocals {
  readonly change: 'remove-app' | 'off' | 'new-codes';
  readonly needsPassword: boolean;
  readonly error: Text | undefined;
  readonly formId: string;
}

export interface AccountPages {
  login(locals: LoginLocals): string;
  secondStep(locals: SecondStepLocals): string;
  addApp(locals: AddAppLocals): string;
  recoveryCodes(locals: RecoveryCodesLocals): string;
  twoStep(locals: TwoStepLocals): string;
  confirmTwoStep(locals: ConfirmTwoStepLocals): string;
  setup(locals: SetupLocals): string;
  signup(locals: SignupLocals): string;
  forgotPassword(locals: ForgotPasswordLocals): string;
  resetRequested(locals: PageContext): string;
  resetPassword(locals: ResetPasswordLocals): string;
  verifyEmail(locals: VerifyEmailLocals): string;
  accountInvitation(locals: AccountInvitationLocals): string;
  authorizedApplications(locals: AuthorizedApplicationsLocals): string;
  authorizedApplication(locals: AuthorizedApplicationPageLocals): string;
  connectedAgents(locals: ConnectedAgentsLocals): string;
  account(locals: AccountLocals): string;
  profile(locals: ProfileLocals): string;
  sessions(locals: SessionListLocals): string;
  activity(locals: ActivityLocals): string;
  passkeys(locals: PasskeyListLocals): string;
  waysToLogIn(locals: WaysLocals): string;
  changePassword(locals: ChangePasswordLocals): string;
  addPasskey(locals: AddPasskeyLocals): string;
  eraseAccount(locals: EraseAccountLocals): string;
}
