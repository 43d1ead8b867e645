import type { Role } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { ForbiddenRedirectUri } from '../../../oauth/clients/redirect-uris.ts';
import type { EffectiveSetting } from '../../../config/effective-settings.ts';
import type { ApplicationLocals, ApplicationPageLocals } from '../applications/locals.ts';
import type { AuthorizedApplicationLocals, GrantLocals } from '../account/authorization-lookup.ts';
import type { Paging } from '../paging.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';

/** Locals of the administration pages. */

export interface AdminUserLocals {
  /** The `<pk>` in the account's URLs. */
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
  /** See `repeated-forms.ts`. */
  readonly formId: string;
  /** Keys: `username`, `email`, `first_name`, `last_name`, `password`, `role`. */
  readonly errors: FieldErrors;
}

export interface AdminUserPageLocals extends PageContext {
  readonly account: AdminUserLocals & { readonly fullName: string };
  /** Whether this is the administrator's own account. */
  readonly isOwn: boolean;
  /** The newest applications that the user registered. `applicationCount` counts all. */
  readonly applications: readonly RegisteredApplication[];
  readonly applicationCount: number;
  /** The applications that the user authorized most recently. `authorizedCount` counts all. */
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
  /** See `repeated-forms.ts`. */
  readonly formId: string;
  readonly errors: FieldErrors;
}

export interface AdminGeneratedPasswordLocals extends PageContext {
  readonly account: Pick<AdminUserLocals, 'id' | 'username'>;
  /** Null after it was shown once. */
  readonly password: string | null;
}

/** Explains the effects of an action and asks for confirmation. */
export interface AdminConfirmLocals extends PageContext {
  readonly trail: readonly { readonly href: string; readonly text: string }[];
  readonly title: string;
  /** One string per paragraph. */
  readonly text: readonly string[];
  readonly button: string;
  /** The form's action and the link to go back. */
  readonly action: string;
  readonly back: string;
}

/** The previous secret, while it still works after a rotation. */
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
  /** The redirect and post-logout redirect URIs that the current settings do not allow. */
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
  /** See `repeated-forms.ts`. */
  readonly formId: string;
  readonly oldSecret: OldSecret;
}

export interface AdminSecretLocals extends PageContext {
  readonly application: Pick<ApplicationLocals, 'id' | 'name' | 'clientId'>;
  /** Null after it was shown once. */
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
  /** Why the server is not ready, or null. */
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
    adminUserApplications: page(
      'admin/user-applications',
      ({ account }) => `Applications registered by ${account.username}`,
    ),
    adminUserAuthorizations: page(
      'admin/user-authorizations',
      ({ account }) => `Applications authorized by ${account.username}`,
    ),
    adminUserAuthorization: page(
      'admin/user-authorization',
      ({ account, application }) => `Authorizations for ${application.name} by ${account.username}`,
    ),
    adminRoles: page('admin/user-roles', ({ account }) => `Roles of ${account.username}`),
    adminPassword: page('admin/user-password', ({ account }) => `New password for ${account.username}`),
    adminGeneratedPassword: page('admin/user-generated-password', ({ account }) => `Password of ${account.username}`),
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
