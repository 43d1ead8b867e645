import type { EpochSeconds } from '../../../domain/values.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { Paging } from '../paging.ts';
import type { PageCompiler } from './provider-locals.ts';

/** A group in a list, or as a link. */
export interface AdminGroup {
  /** The `<pk>` in the group's URLs. */
  readonly id: number;
  readonly name: string;
}

interface AdminGroupsLocals extends PageContext {
  readonly paging: Paging;
  readonly groups: readonly (AdminGroup & { readonly members: number; readonly createdAt: EpochSeconds })[];
}

interface AdminGroupFormLocals extends PageContext {
  readonly values: { readonly name: string };
  /** Key: `group_name`. */
  readonly errors: FieldErrors;
}

interface ListedUser {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  /** Whether the account can log in. */
  readonly isActive: boolean;
}

interface AdminGroupLocals extends PageContext {
  readonly group: AdminGroup & { readonly createdAt: EpochSeconds };
  /** The number of all members. */
  readonly count: number;
  readonly paging: Paging;
  readonly members: readonly (ListedUser & { readonly since: EpochSeconds })[];
}

interface AdminGroupAdditionLocals extends PageContext {
  readonly group: AdminGroup;
  readonly paging: Paging;
  readonly users: readonly (ListedUser & { readonly isMember: boolean })[];
}

interface AdminUserGroupsLocals extends PageContext {
  readonly account: { readonly id: number; readonly username: string };
  readonly paging: Paging;
  readonly groups: readonly (AdminGroup & { readonly isMember: boolean })[];
}

export interface GroupPages {
  adminGroups(locals: AdminGroupsLocals): string;
  adminGroupForm(locals: AdminGroupFormLocals): string;
  adminGroup(locals: AdminGroupLocals): string;
  adminGroupAddition(locals: AdminGroupAdditionLocals): string;
  adminUserGroups(locals: AdminUserGroupsLocals): string;
}

export function groupPages(page: PageCompiler): GroupPages {
  return {
    adminGroups: page('admin/groups', () => 'Groups'),
    adminGroupForm: page('admin/group-form', () => 'Create a group'),
    adminGroup: page('admin/group', ({ group }) => group.name),
    adminGroupAddition: page('admin/group-addition', ({ group }) => `Add users to ${group.name}`),
    adminUserGroups: page('admin/user-groups', ({ account }) => `Groups of ${account.username}`),
  };
}
