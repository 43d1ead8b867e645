import type { Group, GroupMember, Groups } from '../../../projections/groups.ts';
import type { User } from '../../../projections/users.ts';
import {
  actionColumn,
  numberColumn,
  textColumn,
  timeColumn,
  type PageColumn,
  type PageList,
} from '../lists/page-list.ts';
import { BY_STATUS, EMAIL, STATUS, USER_NAME } from './user-list.ts';

const GROUP: PageColumn<Group> = textColumn(
  'name',
  'Group',
  ({ name }) => name,
  ({ id, name }) => ({ text: name, href: `/admin/groups/${id}/` }),
);

const EMPTY_GROUPS: PageList<Group>['empty'] = {
  icon: 'users',
  text: 'Create a group to put users together.',
  action: { href: '/admin/groups/add/', text: 'Create a group' },
};

export function groupList(groups: Pick<Groups, 'membersOf'>): PageList<Group> {
  const members = ({ groupId }: Group): number => groups.membersOf(groupId).length;
  return {
    noun: ['group', 'groups'],
    searchLabel: 'Search by name',
    id: ({ id }) => id,
    texts: ({ name }) => [name],
    filters: [
      {
        name: 'status',
        title: 'Members',
        choices: [
          { value: 'some', title: 'Some', matches: (group) => members(group) > 0 },
          { value: 'none', title: 'None', matches: (group) => members(group) === 0 },
        ],
      },
    ],
    columns: [
      GROUP,
      numberColumn('members', 'Members', members),
      timeColumn('created', 'Created', ({ createdAt }) => createdAt),
    ],
    sort: { by: 'name', direction: 'ascending' },
    empty: EMPTY_GROUPS,
  };
}

export type Member = User & Pick<GroupMember, 'since'>;

/** The members of the group with this path. */
export function memberList(path: string, csrfToken: string): PageList<Member> {
  return {
    noun: ['member', 'members'],
    searchLabel: 'Search by user name or e-mail address',
    id: ({ id }) => id,
    texts: ({ username, email }) => [username, email],
    filters: [BY_STATUS],
    columns: [
      USER_NAME,
      EMAIL,
      STATUS,
      timeColumn('since', 'Member since', ({ since }) => since),
      actionColumn('Change', ({ id, username }) => ({
        form: {
          action: `${path}members/${id}/remove/`,
          csrfToken,
          hidden: {},
          text: 'Remove',
          label: `Remove ${username} from the group`,
          tone: 'plain',
        },
      })),
    ],
    sort: { by: 'since', direction: 'descending' },
    empty: { icon: 'users', text: 'Nobody is in this group.', action: { href: `${path}add/`, text: 'Add users' } },
  };
}

const MEMBERSHIP = { yes: { text: 'member', tone: 'good' }, no: { text: 'not a member', none: true } } as const;

/** All users, to be added to the group with this path. */
export function additionList(path: string, isMember: (user: User) => boolean, csrfToken: string): PageList<User> {
  return {
    noun: ['user', 'users'],
    searchLabel: 'Search by user name or e-mail address',
    id: ({ id }) => id,
    texts: ({ username, email }) => [username, email],
    filters: [byMembership(isMember)],
    columns: [
      USER_NAME,
      EMAIL,
      STATUS,
      textColumn('membership', 'Membership', (user) => (isMember(user) ? 'member' : ''), 'file'),
      actionColumn('Change', (user) =>
        isMember(user)
          ? { text: 'is a member', none: true }
          : {
              form: {
                action: `${path}members/${user.id}/add/`,
                csrfToken,
                hidden: {},
                text: 'Add',
                label: `Add ${user.username} to the group`,
                tone: 'plain',
              },
            },
      ),
    ],
    sort: { by: 'username', direction: 'ascending' },
    empty: { icon: 'users', text: 'There are no users.', action: null },
  };
}

/** All groups, to which the user with this path can be added. */
export function groupsOfUserList(
  path: string,
  isMember: (group: Group) => boolean,
  csrfToken: string,
): PageList<Group> {
  return {
    noun: ['group', 'groups'],
    searchLabel: 'Search by name',
    id: ({ id }) => id,
    texts: ({ name }) => [name],
    filters: [byMembership(isMember)],
    columns: [
      GROUP,
      textColumn(
        'membership',
        'Membership',
        (group) => (isMember(group) ? 'member' : 'not a member'),
        (group) => MEMBERSHIP[isMember(group) ? 'yes' : 'no'],
      ),
      actionColumn('Change', (group) => {
        const [change, text] = isMember(group) ? (['remove', 'Remove'] as const) : (['add', 'Add'] as const);
        const label = change === 'add' ? `Add the user to ${group.name}` : `Remove the user from ${group.name}`;
        const action = `${path}groups/${group.id}/${change}/`;
        return { form: { action, csrfToken, hidden: {}, text, label, tone: 'plain' } };
      }),
    ],
    sort: { by: 'name', direction: 'ascending' },
    empty: EMPTY_GROUPS,
  };
}

function byMembership<Item>(isMember: (item: Item) => boolean): PageList<Item>['filters'][number] {
  return {
    name: 'status',
    title: 'Membership',
    choices: [
      { value: 'member', title: 'Member', matches: isMember },
      { value: 'other', title: 'Not a member', matches: (item) => !isMember(item) },
    ],
  };
}
