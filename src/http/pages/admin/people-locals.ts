import { message } from '../../../language/message.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { PageCompiler } from './provider-locals.ts';

/** An owner or a test user of an application. */
export interface AdminMember {
  readonly id: number;
  readonly username: string;
  readonly since: EpochSeconds;
  /** Whether the account is enabled. */
  readonly isActive: boolean;
}

interface AdminTransferLocals extends PageContext {
  readonly application: { readonly id: string; readonly name: string };
  readonly owners: readonly AdminMember[];
  /** The user name as entered. */
  readonly username: string;
  /** Some user names, as suggestions. */
  readonly userNames: readonly string[];
  /** The only key is `username`. */
  readonly errors: FieldErrors;
}

interface AdminPeopleLocals extends AdminTransferLocals {
  readonly testUsers: readonly AdminMember[];
}

interface ApplicationUsersLocals extends ListPageLocals {
  readonly application: { readonly id: string; readonly name: string };
  /** The number of authorizations that were examined; null if all of them were. */
  readonly examinedCount: number | null;
}

export interface PeoplePages {
  adminApplicationUsers(locals: ApplicationUsersLocals): string;
  adminPeople(locals: AdminPeopleLocals): string;
  adminTransfer(locals: AdminTransferLocals): string;
}

export function peoplePages(page: PageCompiler): PeoplePages {
  return {
    adminApplicationUsers: page('admin/application-users', ({ application }) =>
      message('application-users.title', { application: application.name }),
    ),
    adminPeople: page('admin/application-people', ({ application }) =>
      message('admin-people.title', { application: application.name }),
    ),
    adminTransfer: page('admin/application-transfer', ({ application }) =>
      message('transfer.title', { application: application.name }),
    ),
  };
}
