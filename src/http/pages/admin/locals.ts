import type { Role } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { ForbiddenRedirectUri } from '../../../oauth/clients/redirect-uris.ts';
import type { EffectiveSetting } from '../../../config/effective-settings.ts';
import type { ApplicationLocals, ApplicationPageLocals } from '../applications/locals.ts';
import type { AuthorizedApplicationLocals, GrantLocals } from '../account/authorization-lookup.ts';
import type { Paging } from '../paging.ts';
import type { FieldErrors, PageContext } from '../render.ts';

/** What the pages of administrators show. */

export interface AdminUserLocals {
  /** The `<pk>` of the account's addresses. */
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly active: boolean;
  readonly roles: readonly Role[];
}

export interface AdminUserListLocals extends PageContext {
  readonly paging: Paging;
  readonly users: readonly AdminUserLocals[];
}

export interface AdminUserFormLocals extends PageContext {
  readonly values: {
    readonly username: string;
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly roles: readonly string[];
  };
  /** Of `repeated-forms.ts`. */
  readonly formId: string;
  /** By form field: `username`, `email`, `first_name`, `last_name`, `password`, `role`. */
  readonly errors: FieldErrors;
}

export interface AdminUserPageLocals extends PageContext {
  readonly account: AdminUserLocals & { readonly fullName: string };
  /** Whether it is the account of who looks at it. */
  readonly isOwn: boolean;
  /** The newest of those that the user registered, and how many there are. */
  readonly applications: readonly RegisteredApplication[];
  readonly applicationCount: number;
  /** The newest of those that may act for the user, and how many there are. */
  readonly authorized: readonly AuthorizedApplicationLocals[];
  readonly authorizedCount: number;
}

interface RegisteredApplication {
  readonly id: string;
  readonly name: string;
  readonly lastUsed: EpochSeconds | null;
}

interface UserListPage extends PageContext {
  readonly account: Pick<AdminUserLocals, 'id' | 'username'>;
  readonly paging: Paging;
}

export interface AdminUserApplicationsLocals extends UserListPage {
  readonly applications: readonly RegisteredApplication[];
}

export interface AdminUserAuthorizationsLocals extends UserListPage {
  readonly authorized: readonly AuthorizedApplicationLocals[];
}

export interface AdminUserAuthorizationLocals extends UserListPage {
  readonly application: AuthorizedApplicationLocals;
  readonly grants: readonly GrantLocals[];
}

export interface AdminRolesLocals extends PageContext {
  readonly account: Pick<AdminUserLocals, 'id' | 'username' | 'roles'>;
}

export interface AdminPasswordLocals extends PageContext {
  readonly account: Pick<AdminUserLocals, 'id' | 'username'>;
  /** Of `repeated-forms.ts`. */
  readonly formId: string;
  readonly errors: FieldErrors;
}

export interface AdminGeneratedPasswordLocals extends PageContext {
  readonly account: Pick<AdminUserLocals, 'id' | 'username'>;
  /** Null once it was shown: nothing can show it again. */
  readonly password: string | null;
}

/** Says what an action ends, and asks whether to. */
export interface AdminConfirmLocals extends PageContext {
  readonly trail: readonly { readonly href: string; readonly text: string }[];
  readonly title: string;
  /** Paragraphs. */
  readonly text: readonly string[];
  readonly button: string;
  /** What the form is sent to, and where the way back goes. */
  readonly action: string;
  readonly back: string;
}

/** The secret that the newest rotation replaced, while it still works. */
type OldSecret = ApplicationPageLocals['oldSecret'];

type Owner = Pick<AdminUserLocals, 'id' | 'username'> | null;

export interface AdminApplicationListLocals extends PageContext {
  readonly paging: Paging;
  readonly applications: readonly (Pick<ApplicationLocals, 'id' | 'name' | 'clientType'> & {
    readonly owner: Owner;
    readonly lastUsed: EpochSeconds | null;
  })[];
}

export interface AdminApplicationLocals extends PageContext {
  readonly application: ApplicationLocals & {
    readonly skipAuthorization: boolean;
    readonly restrictedScopes: readonly string[];
    readonly registeredAt: EpochSeconds;
  };
  /** Its redirect URIs that cannot be used under the settings in force. */
  readonly forbiddenRedirectUris: readonly ForbiddenRedirectUri[];
  readonly owner: Owner;
  readonly lastUsed: EpochSeconds | null;
  readonly oldSecret: OldSecret;
}

export interface AdminScopesLocals extends PageContext {
  readonly application: Pick<ApplicationLocals, 'id' | 'name'>;
  readonly allowed: readonly string[];
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
}

export interface AdminRotateLocals extends PageContext {
  readonly application: Pick<ApplicationLocals, 'id' | 'name'>;
  /** Of `repeated-forms.ts`. */
  readonly formId: string;
  readonly oldSecret: OldSecret;
}

export interface AdminSecretLocals extends PageContext {
  readonly application: Pick<ApplicationLocals, 'id' | 'name' | 'clientId'>;
  /** Null once it was shown: nothing can show it again. */
  readonly clientSecret: string | null;
  readonly oldSecret: OldSecret;
}

export interface AdminSettingsLocals extends PageContext {
  readonly settings: readonly (Omit<EffectiveSetting, 'value' | 'default'> & {
    readonly value: string | null;
    readonly default: string | null;
  })[];
}

export interface AdminHealthLocals extends PageContext {
  /** What keeps requests from being answered; null for nothing. */
  readonly obstacle: string | null;
  readonly groups: readonly {
    readonly title: string;
    readonly figures: readonly { readonly title: string; readonly text: string }[];
  }[];
}

export interface AdminPages {
  adminUserList(locals: AdminUserListLocals): string;
  adminUserForm(locals: AdminUserFormLocals): string;
  adminUser(locals: AdminUserPageLocals): string;
  adminUserApplications(locals: AdminUserApplicationsLocals): string;
  adminUserAuthorizations(locals: AdminUserAuthorizationsLocals): string;
  adminUserAuthorization(locals: AdminUserAuthorizationLocals): string;
  adminRoles(locals: AdminRolesLocals): string;
  adminPassword(locals: AdminPasswordLocals): string;
  adminGeneratedPassword(locals: AdminGeneratedPasswordLocals): string;
  adminConfirm(locals: AdminConfirmLocals): string;
  adminApplicationList(locals: AdminApplicationListLocals): string;
  adminApplication(locals: AdminApplicationLocals): string;
  adminScopes(locals: AdminScopesLocals): string;
  adminRotate(locals: AdminRotateLocals): string;
  adminSecret(locals: AdminSecretLocals): string;
  adminSettings(locals: AdminSettingsLocals): string;
  adminHealth(locals: AdminHealthLocals): string;
}

type PageCompiler = <Locals extends PageContext>(
  view: string,
  title: (locals: Locals) => string,
) => (locals: Locals) => string;

export function adminPages(page: PageCompiler): AdminPages {
  return {
    adminUserList: page('admin/users', () => 'Users'),
    adminUserForm: page('admin/user-form', () => 'Add a user'),
    adminUser: page('admin/user', ({ account }) => account.username),
    adminUserApplications: page('admin/user-applications', ({ account }) => `Applications of ${account.username}`),
    adminUserAuthorizations: page(
      'admin/user-authorizations',
      ({ account }) => `Applications that ${account.username} has authorized`,
    ),
    adminUserAuthorization: page(
      'admin/user-authorization',
      ({ account, application }) => `Authorizations of ${application.name} by ${account.username}`,
    ),
    adminRoles: page('admin/user-roles', ({ account }) => `Roles of ${account.username}`),
    adminPassword: page('admin/user-password', ({ account }) => `New password for ${account.username}`),
    adminGeneratedPassword: page('admin/user-password-made', ({ account }) => `Password of ${account.username}`),
    adminConfirm: page('admin/confirm', ({ title }) => title),
    adminApplicationList: page('admin/applications', () => 'All applications'),
    adminApplication: page('admin/application', ({ application }) => application.name),
    adminScopes: page('admin/application-scopes', ({ application }) => `Restricted scopes of ${application.name}`),
    adminRotate: page('admin/application-rotate', ({ application }) => `Rotate the secret of ${application.name}?`),
    adminSecret: page('admin/application-secret', ({ application }) => `Credentials of ${application.name}`),
    adminSettings: page('admin/settings', () => 'Settings'),
    adminHealth: page('admin/health', () => 'Health'),
  };
}
