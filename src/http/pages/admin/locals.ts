import { message, type Text } from '../../../language/message.ts';
import type { AttentionItem } from './attention.ts';
import type { Role } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { ForbiddenRedirectUri } from '../../../oauth/clients/redirect-uris.ts';
import type { AdminDashboardLocals } from './dashboard-locals.ts';
import type { AdminDomainsLocals } from './domain-locals.ts';
import { exchangePolicyPages, type ExchangePolicyPages, type PoliciesOfApplication } from './exchange-policy-locals.ts';
import { invitationPages, type InvitationPages } from './invitation-locals.ts';
import { keyPages, type KeyPages } from './key-locals.ts';
import { peoplePages, type AdminMember, type PeoplePages } from './people-locals.ts';
import { groupPages, type AdminGroup, type GroupPages } from './group-locals.ts';
import { providerPages, type PageCompiler, type ProviderPages } from './provider-locals.ts';
import { settingPages, type SettingPages } from './setting-locals.ts';
import { userChangePages, type UserChangePages } from './user-change-locals.ts';
import { newSecretTitle } from '../applications/application-heading.ts';
import type { ApplicationLocals, ApplicationRotateLocals, OldSecret } from '../applications/locals.ts';
import type { PresentationLocals } from '../applications/presentation.ts';
import type { SessionLocals } from '../account/session-locals.ts';
import type { AuthorizedApplicationLocals } from '../account/grant-locals.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { RefusalLocals } from '../refusals/refusal-locals.ts';
import type { RefusalStep } from '../refusals/refusal-steps.ts';
import { trustedIssuerPages, type TrustedIssuerPages } from './trusted-issuer-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';

export interface AdminUserLocals {
  /** The number that identifies the account in URLs. */
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly active: boolean;
  readonly roles: readonly Role[];
}

/** The times of an account's creation and last login. Null if the time is unknown, or if there was no login. */
export interface AccountTimes {
  readonly registeredAt: EpochSeconds | null;
  readonly lastLoginAt: EpochSeconds | null;
}

export interface AdminRefusalsLocals extends ListPageLocals {
  /**
   * The maximum numbers of refusals that are retained for each application: `proven` for authenticated requests,
   * `named` for all others.
   */
  readonly retentionLimits: { readonly proven: number; readonly named: number };
  readonly refusals: readonly (RefusalLocals & {
    /** The application, whose id is undefined if it was removed; null if the request does not name one. */
    readonly application: { readonly id: string | undefined; readonly name: string } | null;
    /** A link to a page that may help; null if no page can. */
    readonly repair: RefusalStep | null;
  })[];
}

export interface AdminUserFormLocals extends PageContext {
  readonly values: {
    readonly username: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly roles: readonly string[];
  };
  /** The value of the hidden `form_id` field: see `ResubmissionGuard`. */
  readonly formId: string;
  /** Keys: `username`, `email`, `first_name`, `last_name`, `password`, `role`. */
  readonly errors: FieldErrors;
}

export interface AdminUserPageLocals extends PageContext {
  readonly account: AdminUserLocals & AccountTimes & { readonly fullName: string };
  /** The user name of the other account that has verified this account's e-mail address; null if none has. */
  readonly verifiedBy: string | null;
  /** Whether the account belongs to the administrator viewing the page. */
  readonly isOwnAccount: boolean;
  readonly sessionCount: number;
  readonly groups: readonly AdminGroup[];
  /** Whether disabling or erasing this account, or removing its role, would leave no administrator who can log in. */
  readonly isLastAdministrator: boolean;
  /** Whether two-step login is on, and whether the account has a second factor that an administrator can remove. */
  readonly twoStep: { readonly isOn: boolean; readonly hasFactor: boolean };
  /** The newest applications that the user owns. `applicationCount` counts all of them. */
  readonly applications: readonly OwnedApplication[];
  readonly applicationCount: number;
  /** The applications that the user authorized most recently. `authorizedCount` counts all of them. */
  readonly authorized: readonly AuthorizedApplicationLocals[];
  readonly authorizedCount: number;
}

interface OwnedApplication {
  readonly id: string;
  readonly name: string;
  readonly lastUsed: EpochSeconds | null;
}

export interface AdminUserNamesLocals extends PageContext {
  readonly account: Pick<AdminUserLocals, 'id' | 'username'>;
  readonly values: { readonly email: string; readonly firstName: string; readonly lastName: string };
  /** The value of the hidden `form_id` field: see `ResubmissionGuard`. */
  readonly formId: string;
  /** Keys: `email`, `first_name`, `last_name`. */
  readonly errors: FieldErrors;
}

export interface AdminUserSessionsLocals extends UserListLocals {
  readonly sessions: readonly SessionLocals[];
}

/** The locals of a page that lists a user's sessions, applications or authorizations. */
interface UserListLocals extends ListPageLocals {
  readonly account: Pick<AdminUserLocals, 'id' | 'username'>;
}

export interface AdminUserAuthorizationLocals extends UserListLocals {
  readonly application: AuthorizedApplicationLocals;
}

/** A fact to consider before an action, such as the number of tokens that a removal invalidates. */
export interface ActionFact {
  readonly title: Text;
  readonly text: Text;
}

/** A page that explains the effects of an action and asks for confirmation. */
export interface AdminConfirmLocals extends PageContext {
  readonly trail: readonly { readonly href: string; readonly text: Text }[];
  readonly title: Text;
  /** The paragraphs that explain the effects. */
  readonly text: readonly Text[];
  readonly facts?: readonly ActionFact[];
  readonly button: Text;
  /** A link that replaces the button if the action would be refused. */
  readonly instead?: { readonly href: string; readonly text: Text } | undefined;
  /** The name that the administrator must type to confirm, and its field. By default, clicking the button is enough. */
  readonly typedConfirmation?: { readonly field: 'username' | 'name'; readonly label: Text; readonly name: string };
  /** The error message if the administrator typed a different name. */
  readonly error?: Text | undefined;
  /** The path to which the form is submitted. */
  readonly action: string;
  /** The path of the page to return to. */
  readonly back: string;
  readonly hidden?: Readonly<Record<string, string | readonly string[]>>;
  /** Set for an action that can be undone. By default, the button is styled as a warning. */
  readonly tone?: 'primary';
}

export interface AdminApplicationLocals extends PageContext, PoliciesOfApplication {
  readonly application: ApplicationLocals & {
    readonly skipAuthorization: boolean;
    readonly restrictedScopes: readonly string[];
    readonly registeredAt: EpochSeconds;
    /** The description, links and logo shown on the consent page. */
    readonly presentation: PresentationLocals;
  };
  /** The redirect and post-logout redirect URIs that the current settings do not allow. */
  readonly forbiddenRedirectUris: readonly ForbiddenRedirectUri[];
  readonly owners: readonly AdminMember[];
  /** The number of test users. */
  readonly testUsers: number;
  /** The number of users who have authorized the application; a lower bound if `isExact` is false. */
  readonly users: { readonly count: number; readonly isExact: boolean };
  /**
   * An upper bound on the number of access tokens that the application got within the current token lifetime; null if
   * the lifetime exceeds the period that is counted.
   */
  readonly maxTokens: number | null;
  readonly lastUsed: EpochSeconds | null;
  readonly oldSecret: OldSecret | null;
}

/** The locals of the page where administrators choose the restricted scopes that an application may request. */
interface ApplicationScopesLocals extends PageContext {
  readonly application: Pick<ApplicationLocals, 'id' | 'name'>;
  readonly allowedScopes: readonly string[];
  readonly scopes: readonly { readonly name: string; readonly description: Text }[];
  /** The value of the hidden `form_id` field: see `ResubmissionGuard`. */
  readonly formId: string;
}

export interface AdminSecretLocals extends PageContext {
  readonly application: Pick<ApplicationLocals, 'id' | 'name' | 'clientId'>;
  /** Null if the secret has already been shown, or if the page was opened too late. */
  readonly clientSecret: string | null;
  readonly oldSecret: OldSecret | null;
}

export interface HealthFigure {
  readonly title: Text;
  readonly text: Text;
  /** A link to a page with more information. */
  readonly href?: string;
  /** Set only if the figure needs attention. */
  readonly tone?: 'danger';
}

export interface HealthGroup {
  readonly title: Text;
  /** An explanation of the figures, or of their absence. */
  readonly note?: Text;
  readonly figures: readonly HealthFigure[];
}

export interface AdminHealthLocals extends PageContext {
  /** The reason the server is not ready; null if it is ready. */
  readonly obstacle: Text | null;
  /** Other problems with the server and its providers. */
  readonly problems: readonly Pick<AttentionItem, 'tone' | 'text' | 'advice'>[];
  /** The number of problems with accounts and applications. The dashboard lists these. */
  readonly usageProblemCount: number;
  readonly groups: readonly HealthGroup[];
}

export interface AdminPages
  extends
    ExchangePolicyPages,
    GroupPages,
    InvitationPages,
    KeyPages,
    PeoplePages,
    ProviderPages,
    SettingPages,
    TrustedIssuerPages,
    UserChangePages {
  adminDashboard(locals: AdminDashboardLocals): string;
  adminDomains(locals: AdminDomainsLocals): string;
  /** The sessions of all users. */
  adminSessions(locals: ListPageLocals): string;
  adminUserList(locals: ListPageLocals & { readonly isMailOn: boolean }): string;
  adminUserForm(locals: AdminUserFormLocals): string;
  adminUser(locals: AdminUserPageLocals): string;
  adminUserNames(locals: AdminUserNamesLocals): string;
  adminUserSessions(locals: AdminUserSessionsLocals): string;
  adminUserApplications(locals: UserListLocals): string;
  adminUserAuthorizations(locals: UserListLocals): string;
  adminUserAuthorization(locals: AdminUserAuthorizationLocals): string;
  adminConfirm(locals: AdminConfirmLocals): string;
  adminApplicationList(locals: ListPageLocals): string;
  adminApplication(locals: AdminApplicationLocals): string;
  adminScopes(locals: ApplicationScopesLocals): string;
  adminRotate(locals: ApplicationRotateLocals): string;
  adminSecret(locals: AdminSecretLocals): string;
  adminRefusals(locals: AdminRefusalsLocals): string;
  adminHealth(locals: AdminHealthLocals): string;
}

export function adminPages(page: PageCompiler): AdminPages {
  return {
    adminDashboard: page('admin/dashboard', () => message('admin.dashboard')),
    adminUserList: page('admin/users', () => message('admin.users')),
    adminSessions: page('admin/sessions', () => message('all-sessions.title')),
    adminUserForm: page('admin/user-form', () => message('users.add')),
    adminUser: page('admin/user', ({ account, isOwnAccount }) =>
      isOwnAccount ? message('user.own-title', { username: account.username }) : account.username,
    ),
    adminUserNames: page('admin/user-names', ({ account }) =>
      message('user-names.title', { username: account.username }),
    ),
    adminUserSessions: page('admin/user-sessions', ({ account }) =>
      message('user-sessions.title', { username: account.username }),
    ),
    adminUserApplications: page('admin/user-applications', ({ account }) =>
      message('user-applications.title', { username: account.username }),
    ),
    adminUserAuthorizations: page('admin/user-authorizations', ({ account }) =>
      message('user-authorizations.title', { username: account.username }),
    ),
    adminUserAuthorization: page('admin/user-authorization', ({ account, application }) =>
      message('user-authorization.title', { application: application.name, username: account.username }),
    ),
    ...userChangePages(page),
    adminConfirm: page('admin/confirm', ({ title }) => title),
    adminApplicationList: page('admin/applications', () => message('admin-applications.title')),
    adminApplication: page('admin/application', ({ application }) => application.name),
    ...invitationPages(page),
    ...peoplePages(page),
    adminScopes: page('admin/application-scopes', ({ application }) =>
      message('admin-scopes.title', { application: application.name }),
    ),
    adminRotate: page('admin/application-rotate', ({ application }) => newSecretTitle(application)),
    adminSecret: page('admin/application-secret', ({ application }) =>
      message('admin-secret.title', { application: application.name }),
    ),
    adminRefusals: page('admin/refusals', () => message('admin-refusals.title')),
    adminDomains: page('admin/domains', () => message('admin.domains')),
    ...exchangePolicyPages(page),
    ...trustedIssuerPages(page),
    ...providerPages(page),
    ...settingPages(page),
    ...groupPages(page),
    ...keyPages(page),
    adminHealth: page('admin/health', () => message('admin.health')),
  };
}
