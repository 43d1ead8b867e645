import { message } from '../../../language/message.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { PageCompiler } from './provider-locals.ts';

/** A group, as shown in the heading of its pages or as a link. */
export interface AdminGroup {
  /** The number that identifies the group in URLs. */
  readonly id: number;
  readonly name: string;
  readonly title: string | null;
}

interface AdminGroupFormLocals extends PageContext {
  readonly values: { readonly name: string };
  /** The only key is `group_name`. */
  readonly errors: FieldErrors;
}

interface AdminGroupTitleLocals extends PageContext {
  readonly group: AdminGroup;
  /** The title that the administrator entered, or the current title. */
  readonly value: string;
  /** The value of the hidden `form_id` field: see `ResubmissionGuard`. */
  readonly formId: string;
  /** The only key is `group_title`. */
  readonly errors: FieldErrors;
}

interface AdminGroupLocals extends ListPageLocals {
  readonly group: AdminGroup & { readonly createdAt: EpochSeconds };
}

/** The locals of the page for adding users to a group. The page lists all users. */
interface AdminGroupAdditionLocals extends ListPageLocals {
  readonly group: AdminGroup;
}

/** The locals of the page for changing a user's groups. The page lists all groups. */
interface AdminUserGroupsLocals extends ListPageLocals {
  readonly account: { readonly id: number; readonly username: string };
}

export interface GroupPages {
  adminGroups(locals: ListPageLocals): string;
  adminGroupForm(locals: AdminGroupFormLocals): string;
  adminGroup(locals: AdminGroupLocals): string;
  adminGroupTitle(locals: AdminGroupTitleLocals): string;
  adminGroupAddition(locals: AdminGroupAdditionLocals): string;
  adminUserGroups(locals: AdminUserGroupsLocals): string;
}

export function groupPages(page: PageCompiler): GroupPages {
  return {
    adminGroups: page('admin/groups', () => message('admin.groups')),
    adminGroupForm: page('admin/group-form', () => message('groups.create')),
    adminGroup: page('admin/group', ({ group }) => group.name),
    adminGroupTitle: page('admin/group-title', ({ group }) => message('group.title-of', { group: group.name })),
    adminGroupAddition: page('admin/group-addition', ({ group }) => message('group.add-to', { group: group.name })),
    adminUserGroups: page('admin/user-groups', ({ account }) =>
      message('user-groups.title', { username: account.username }),
    ),
  };
}
