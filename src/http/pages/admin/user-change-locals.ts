import { message, type Text } from '../../../language/message.ts';
import type { User } from '../../../projections/users.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { PageCompiler } from './provider-locals.ts';

export interface AdminRolesLocals extends PageContext {
  /** Whether losing this account or its administrator role would leave no administrator who can log in. */
  readonly isLastAdministrator: boolean;
  /** Whether the account belongs to the administrator viewing the page. */
  readonly isOwnAccount: boolean;
  readonly account: Pick<User, 'id' | 'username' | 'roles'>;
  /** The value of the hidden `form_id` field: see `ResubmissionGuard`. */
  readonly formId: string;
}

export interface AdminPasswordLocals extends PageContext {
  readonly account: Pick<User, 'id' | 'username'>;
  /** Whether the account belongs to the administrator viewing the page. */
  readonly isOwnAccount: boolean;
  /** The access that ends with the user's sessions, and the access that remains. */
  readonly facts: readonly { readonly title: Text; readonly text: Text }[];
  /** The value of the hidden `form_id` field: see `ResubmissionGuard`. */
  readonly formId: string;
  readonly errors: FieldErrors;
}

export interface AdminGeneratedPasswordLocals extends PageContext {
  readonly account: Pick<User, 'id' | 'username'>;
  /** Null if the password has already been shown, or if the page was opened too late. */
  readonly password: string | null;
}

/** The pages for changing a user's roles and password. */
export interface UserChangePages {
  adminRoles(locals: AdminRolesLocals): string;
  adminPassword(locals: AdminPasswordLocals): string;
  adminGeneratedPassword(locals: AdminGeneratedPasswordLocals): string;
}

export function userChangePages(page: PageCompiler): UserChangePages {
  return {
    adminRoles: page('admin/user-roles', ({ account }) => message('user-roles.title', { username: account.username })),
    adminPassword: page('admin/user-password', ({ account }) =>
      message('user-password.title', { username: account.username }),
    ),
    adminGeneratedPassword: page('admin/user-generated-password', ({ account }) =>
      message('made-password.title', { username: account.username }),
    ),
  };
}
