import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { UserActivity } from '../../../projections/user-activity.ts';
import type { User } from '../../../projections/users.ts';
import { numberColumn, textColumn, timeColumn, type Cell, type PageColumn, type PageList } from '../lists/page-list.ts';

export interface UserListParts {
  readonly userActivity: Pick<UserActivity, 'lastLoginAt' | 'registeredAt'>;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'isOn'>;
}

type ListedUser = Pick<User, 'id' | 'username' | 'email' | 'active'>;

/** The columns of every list of users. */
export const USER_NAME: PageColumn<ListedUser> = textColumn(
  'username',
  'User name',
  ({ username }) => username,
  ({ id, username }) => ({ text: username, href: `/admin/users/${id}/` }),
);
export const EMAIL: PageColumn<ListedUser> = textColumn('email', 'E-mail address', ({ email }) => email);
export const STATUS: PageColumn<ListedUser> = textColumn(
  'status',
  'Status',
  ({ active }) => (active ? 'active' : 'disabled'),
  ({ active }): Cell => (active ? { text: 'active', tone: 'good' } : { text: 'disabled', tone: 'warning' }),
);
export const BY_STATUS: PageList<ListedUser>['filters'][number] = {
  name: 'status',
  title: 'Status',
  choices: [
    { value: 'active', title: 'Active', matches: ({ active }) => active },
    { value: 'disabled', title: 'Disabled', matches: ({ active }) => !active },
  ],
};

/** The list of all users. */
export function userList({ userActivity, secondFactorPolicy }: UserListParts): PageList<User> {
  return {
    noun: ['user', 'users'],
    searchLabel: 'Search by name, e-mail address or number',
    id: ({ id }) => id,
    texts: (user) => [user.username, user.email, `${user.firstName} ${user.lastName}`, String(user.id)],
    filters: [
      BY_STATUS,
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
      USER_NAME,
      numberColumn('id', 'Number', ({ id }) => id, 'file'),
      textColumn('first_name', 'First name', ({ firstName }) => firstName, 'file'),
      textColumn('last_name', 'Last name', ({ lastName }) => lastName, 'file'),
      EMAIL,
      textColumn('email_verified', 'Verified', ({ emailVerified }) => (emailVerified ? 'yes' : 'no'), 'file'),
      textColumn('roles', 'Roles', ({ roles }) => roles.join(', ')),
      STATUS,
      textColumn(
        'two_step',
        'Two-step login',
        ({ userId }) => (secondFactorPolicy.isOn(userId) ? 'on' : 'off'),
        'file',
      ),
      timeColumn('created', 'Created', ({ userId }) => userActivity.registeredAt(userId)),
      timeColumn('last_login', 'Last login', ({ userId }) => userActivity.lastLoginAt(userId), 'never'),
    ],
    sort: { by: 'created', direction: 'descending' },
    empty: { icon: 'users', text: 'Add a user, or invite one.', action: null },
  };
}
