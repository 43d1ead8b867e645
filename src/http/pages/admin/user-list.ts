import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { UserActivity } from '../../../projections/user-activity.ts';
import type { User } from '../../../projections/users.ts';
import { textCell, timeCell, type PageList } from '../lists/page-list.ts';

export interface UserListParts {
  readonly userActivity: Pick<UserActivity, 'lastLoginAt' | 'registeredAt'>;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'isOn'>;
}

/** The list of all users. */
export function userList({ userActivity, secondFactorPolicy }: UserListParts): PageList<User> {
  return {
    noun: ['user', 'users'],
    searchLabel: 'Search by name, e-mail address or number',
    id: ({ id }) => id,
    texts: (user) => [user.username, user.email, `${user.firstName} ${user.lastName}`, String(user.id)],
    filters: [
      {
        name: 'status',
        title: 'Status',
        choices: [
          { value: 'active', title: 'Active', matches: ({ active }) => active },
          { value: 'disabled', title: 'Disabled', matches: ({ active }) => !active },
        ],
      },
      {
        name: 'role',
        title: 'Role',
        choices: [
          { value: 'administrator', title: 'Administrator', matches: ({ roles }) => roles.includes('administrator') },
          { value: 'auditor', title: 'Auditor', matches: ({ roles }) => roles.includes('auditor') },
          { value: 'none', title: 'None', matches: ({ roles }) => roles.length === 0 },
        ],
      },
      {
        name: 'two_step',
        title: 'Two-step login',
        choices: [
          { value: 'on', title: 'On', matches: ({ userId }) => secondFactorPolicy.isOn(userId) },
          { value: 'off', title: 'Off', matches: ({ userId }) => !secondFactorPolicy.isOn(userId) },
        ],
      },
    ],
    columns: [
      {
        name: 'username',
        title: 'User name',
        kind: 'text',
        value: ({ username }) => username,
        cell: ({ id, username }) => ({ text: username, href: `/admin/users/${id}/` }),
      },
      { name: 'id', title: 'Number', kind: 'number', value: ({ id }) => id, cell: 'file' },
      { name: 'first_name', title: 'First name', kind: 'text', value: ({ firstName }) => firstName, cell: 'file' },
      { name: 'last_name', title: 'Last name', kind: 'text', value: ({ lastName }) => lastName, cell: 'file' },
      {
        name: 'email',
        title: 'E-mail address',
        kind: 'text',
        value: ({ email }) => email || null,
        cell: ({ email }) => textCell(email),
      },
      {
        name: 'email_verified',
        title: 'Verified',
        kind: 'text',
        value: ({ emailVerified }) => (emailVerified ? 'yes' : 'no'),
        cell: 'file',
      },
      {
        name: 'roles',
        title: 'Roles',
        kind: 'text',
        value: ({ roles }) => roles.join(', ') || null,
        cell: ({ roles }) => textCell(roles.join(', ')),
      },
      {
        name: 'status',
        title: 'Status',
        kind: 'text',
        value: ({ active }) => (active ? 'active' : 'disabled'),
        cell: ({ active }) => (active ? { text: 'active', tone: 'good' } : { text: 'disabled', tone: 'warning' }),
      },
      {
        name: 'two_step_login',
        title: 'Two-step login',
        kind: 'text',
        value: ({ userId }) => (secondFactorPolicy.isOn(userId) ? 'on' : 'off'),
        cell: 'file',
      },
      {
        name: 'created',
        title: 'Created',
        kind: 'time',
        value: ({ userId }) => userActivity.registeredAt(userId) ?? null,
        cell: ({ userId }) => timeCell(userActivity.registeredAt(userId), 'unknown'),
      },
      {
        name: 'last_login',
        title: 'Last login',
        kind: 'time',
        value: ({ userId }) => userActivity.lastLoginAt(userId) ?? null,
        cell: ({ userId }) => timeCell(userActivity.lastLoginAt(userId), 'never'),
      },
    ],
    sort: { by: 'created', direction: 'descending' },
    empty: { icon: 'users', text: 'Add a user, or invite one by mail.', action: null },
  };
}
