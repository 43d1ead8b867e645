import type { Group, GroupMember, Groups } from '../../../projections/groups.ts';
import type { User } from '../../../projections/users.ts';
import { message } from '../../../language/message.ts';
import {
  actionColumn,
  numberColumn,
  textColumn,
  timeColumn,
  type PageColumn,
  type PageList,
} from '../lists/page-list.ts';
import { STATUS_FILTER, EMAIL, STATUS, USER_NAME } from './user-list.ts';

const GROUP: PageColumn<Group> = textColumn(
  'name',
  message('column.group'),
  ({ name }) => name,
  ({ id, name }) => ({ text: name, href: `/admin/groups/${id}/` }),
);

const TITLE: PageColumn<Group> = textColumn('title', message('column.title'), ({ title }) => title ?? '');

const EMPTY_GROUPS: PageList<Group>['empty'] = {
  icon: 'users',
  text: message('empty.groups'),
  action: { href: '/admin/groups/add/', text: message('empty.groups.action') },
};

export function groupList(groups: Pick<Groups, 'membersOf'>): PageList<Group> {
  const memberCount = ({ groupId }: Group): number => groups.membersOf(groupId).length;
  return {
    name: message('listed.groups'),
    countMessage: 'listed.groups.count',
    fileName: 'groups',
    searchLabel: message('search.name-or-title'),
    id: ({ id }) => id,
    texts: ({ name, title }) => [name, title ?? ''],
    filters: [
      {
        name: 'status',
        title: message('column.members'),
        choices: [
          { value: 'some', title: message('choice.some'), matches: (group) => memberCount(group) > 0 },
          { value: 'none', title: message('choice.none'), matches: (group) => memberCount(group) === 0 },
        ],
      },
    ],
    columns: [
      GROUP,
      TITLE,
      numberColumn('members', message('column.members'), memberCount),
      timeColumn('created', message('column.created'), ({ createdAt }) => createdAt),
    ],
    sort: { by: 'name', direction: 'ascending' },
    empty: EMPTY_GROUPS,
  };
}

export type Member = User & Pick<GroupMember, 'since'>;

/**
 * Defines the list of a group's members.
 * @param path the path of the group's page
 */
export function memberList(path: string, csrfToken: string): PageList<Member> {
  return {
    name: message('listed.members'),
    countMessage: 'listed.members.count',
    fileName: 'members',
    searchLabel: message('search.user-name-or-e-mail-address'),
    id: ({ id }) => id,
    texts: ({ username, email }) => [username, email],
    filters: [STATUS_FILTER],
    columns: [
      USER_NAME,
      EMAIL,
      STATUS,
      timeColumn('since', message('column.member-since'), ({ since }) => since),
      actionColumn(message('column.change'), ({ id, username }) => ({
        form: {
          action: `${path}members/${id}/remove/`,
          csrfToken,
          hidden: {},
          text: message('button.remove'),
          label: message('button.remove-from-group', { username }),
          tone: 'plain',
        },
      })),
    ],
    sort: { by: 'since', direction: 'descending' },
    empty: {
      icon: 'users',
      text: message('empty.members'),
      action: { href: `${path}add/`, text: message('empty.members.action') },
    },
  };
}

const MEMBERSHIP_CELLS = {
  yes: { text: message('value.member'), tone: 'good' },
  no: { text: message('value.not-a-member'), none: true },
} as const;

/** Defines the list of all users, with checkboxes for adding users to a group. */
export function additionList(isMember: (user: User) => boolean): PageList<User> {
  return {
    name: message('listed.users'),
    countMessage: 'listed.users.count',
    fileName: 'users',
    searchLabel: message('search.name-e-mail-address-or-number'),
    id: ({ id }) => id,
    texts: ({ id, username, email, firstName, lastName }) => [username, email, `${firstName} ${lastName}`, String(id)],
    filters: [membershipFilter(isMember)],
    columns: [
      USER_NAME,
      EMAIL,
      STATUS,
      textColumn('membership', message('column.membership'), (user) => (isMember(user) ? 'member' : ''), 'file'),
      actionColumn(message('column.add'), (user) =>
        isMember(user)
          ? { text: message('value.is-a-member'), none: true }
          : {
              check: {
                name: 'new_member',
                value: String(user.id),
                label: message('button.add-to-group', { username: user.username }),
              },
            },
      ),
    ],
    sort: { by: 'username', direction: 'ascending' },
    empty: { icon: 'users', text: message('empty.additions'), action: null },
  };
}

/**
 * Defines the list of all groups, each with a button that adds a user to the group or removes the user from it.
 * @param path the path of the user's page
 */
export function membershipList(path: string, isMember: (group: Group) => boolean, csrfToken: string): PageList<Group> {
  return {
    name: message('listed.groups'),
    countMessage: 'listed.groups.count',
    fileName: 'groups',
    searchLabel: message('search.name-or-title'),
    id: ({ id }) => id,
    texts: ({ name, title }) => [name, title ?? ''],
    filters: [membershipFilter(isMember)],
    columns: [
      GROUP,
      TITLE,
      textColumn(
        'membership',
        message('column.membership'),
        (group) => (isMember(group) ? 'member' : 'not a member'),
        (group) => MEMBERSHIP_CELLS[isMember(group) ? 'yes' : 'no'],
      ),
      actionColumn(message('column.change'), (group) => {
        const change = isMember(group) ? 'remove' : 'add';
        const text = message(change === 'add' ? 'button.add' : 'button.remove');
        const label = message(change === 'add' ? 'button.add-user-to' : 'button.remove-user-from', {
          group: group.name,
        });
        const action = `${path}groups/${group.id}/${change}/`;
        return { form: { action, csrfToken, hidden: {}, text, label, tone: 'plain' } };
      }),
    ],
    sort: { by: 'name', direction: 'ascending' },
    empty: EMPTY_GROUPS,
  };
}

function membershipFilter<Item>(isMember: (item: Item) => boolean): PageList<Item>['filters'][number] {
  return {
    name: 'status',
    title: message('column.membership'),
    choices: [
      { value: 'member', title: message('choice.member'), matches: isMember },
      { value: 'other', title: message('choice.not-a-member'), matches: (item) => !isMember(item) },
    ],
  };
}
