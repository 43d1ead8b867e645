import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import { rolesText } from '../../../audit/queries/roles-text.ts';
import type { UserActivity } from '../../../projections/user-activity.ts';
import type { User } from '../../../projections/users.ts';
import { message } from '../../../language/message.ts';
import {
  EMPTY_CELL,
  numberColumn,
  textColumn,
  timeColumn,
  type Cell,
  type PageColumn,
  type PageList,
} from '../lists/page-list.ts';

export interface UserListDeps {
  readonly userActivity: Pick<UserActivity, 'lastLoginAt' | 'registeredAt'>;
  readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'isOn'>;
}

type ListedUser = Pick<User, 'id' | 'username' | 'email' | 'active'>;

function nameCell({ id, username }: ListedUser): Cell {
  return { text: username, href: `/admin/users/${id}/` };
}

/**
 * Returns the cell for the user name, with a badge for the reader's own account and for disabled accounts. The page has
 * no status column, because almost every row would show the same status.
 */
function markedNameCell(user: User, readerId: User['userId']): Cell {
  if (user.userId === readerId) return { ...nameCell(user), badge: message('user.you') };
  return user.active ? nameCell(user) : { ...nameCell(user), badge: message('value.disabled') };
}

/** Appears only on the page, because exported files have separate columns for the first and last name. */
const FULL_NAME: PageColumn<User> = {
  ...textColumn('name', message('column.name'), fullName, (user): Cell => {
    const text = fullName(user);
    return text === '' ? EMPTY_CELL : { text, isPhrase: true };
  }),
  isSortable: false,
};

function fullName({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}

// Columns and filters that other lists also use

export const USER_NAME: PageColumn<ListedUser> = textColumn(
  'username',
  message('column.username'),
  ({ username }) => username,
  nameCell,
);
export const EMAIL: PageColumn<ListedUser> = textColumn('email', message('column.email'), ({ email }) => email);
export const STATUS: PageColumn<ListedUser> = textColumn(
  'status',
  message('column.status'),
  ({ active }) => (active ? 'active' : 'disabled'),
  ({ active }): Cell =>
    active ? { text: message('value.active'), tone: 'good' } : { text: message('value.disabled'), tone: 'warning' },
);
export const STATUS_FILTER: PageList<ListedUser>['filters'][number] = {
  name: 'status',
  title: message('column.status'),
  choices: [
    { value: 'active', title: message('choice.active'), matches: ({ active }) => active },
    { value: 'disabled', title: message('choice.disabled'), matches: ({ active }) => !active },
  ],
};

/** The roles of an account or of an invitation. */
export const ROLES_COLUMN: PageColumn<Pick<User, 'roles'>> = textColumn(
  'roles',
  message('column.roles'),
  ({ roles }) => roles.join(', '),
  ({ roles }) => (roles.length === 0 ? EMPTY_CELL : { text: rolesText(roles) }),
);
export const ROLE_FILTER: PageList<Pick<User, 'roles'>>['filters'][number] = {
  name: 'role',
  title: message('column.role'),
  choices: [
    {
      value: 'administrator',
      title: message('choice.administrator'),
      matches: ({ roles }) => roles.includes('administrator'),
    },
    { value: 'auditor', title: message('choice.auditor'), matches: ({ roles }) => roles.includes('auditor') },
    { value: 'none', title: message('choice.none'), matches: ({ roles }) => roles.length === 0 },
  ],
};

/** Defines the list of all users, which marks the reader's own account and disabled accounts. */
export function userList({ userActivity, secondFactorPolicy }: UserListDeps, readerId: User['userId']): PageList<User> {
  return {
    name: message('listed.users'),
    countMessage: 'listed.users.count',
    fileName: 'users',
    searchLabel: message('search.name-e-mail-address-or-number'),
    id: ({ id }) => id,
    texts: (user) => [user.username, user.email, `${user.firstName} ${user.lastName}`, String(user.id)],
    filters: [
      STATUS_FILTER,
      ROLE_FILTER,
      {
        name: 'two_step',
        title: message('column.two-step'),
        choices: [
          { value: 'on', title: message('choice.on'), matches: ({ userId }) => secondFactorPolicy.isOn(userId) },
          { value: 'off', title: message('choice.off'), matches: ({ userId }) => !secondFactorPolicy.isOn(userId) },
        ],
      },
    ],
    columns: [
      { ...USER_NAME, cell: (user) => markedNameCell(user, readerId) },
      numberColumn('id', message('column.number'), ({ id }) => id, 'file'),
      textColumn('first_name', message('column.first-name'), ({ firstName }) => firstName, 'file'),
      textColumn('last_name', message('column.last-name'), ({ lastName }) => lastName, 'file'),
      FULL_NAME,
      EMAIL,
      textColumn(
        'email_verified',
        message('column.verified'),
        ({ emailVerified }) => (emailVerified ? 'yes' : 'no'),
        'file',
      ),
      ROLES_COLUMN,
      { ...STATUS, cell: 'file' },
      textColumn(
        'two_step',
        message('column.two-step'),
        ({ userId }) => (secondFactorPolicy.isOn(userId) ? 'on' : 'off'),
        'file',
      ),
      timeColumn('created', message('column.created'), ({ userId }) => userActivity.registeredAt(userId)),
      timeColumn(
        'last_login',
        message('column.last-login'),
        ({ userId }) => userActivity.lastLoginAt(userId),
        message('value.never'),
      ),
    ],
    sort: { by: 'created', direction: 'descending' },
    empty: { icon: 'users', text: message('empty.users'), action: null },
  };
}
