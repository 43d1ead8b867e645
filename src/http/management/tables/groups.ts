import { normalizeGroupName } from '../../../domain/group.ts';
import { observedGroup } from '../../../domain/streams.ts';
import { STRING } from '../../openapi/shared-responses.ts';
import type { ManagementRow } from '../row.ts';
import { BOOLEAN, COUNT, INTEGER, namedObject, STRING_OR_NULL, STRINGS, TIME } from '../schemas.ts';

const GROUP = namedObject('ManagedGroup', {
  id: INTEGER,
  name: STRING,
  title: STRING_OR_NULL,
  members: COUNT,
  created_at: TIME,
});
const MEMBER = namedObject('ManagedGroupMember', { id: INTEGER, username: STRING, active: BOOLEAN, since: TIME });
const USER_GROUPS = namedObject('ManagedGroupsOfUser', { id: INTEGER, username: STRING, groups: STRINGS });

const BY_NAME = {
  path: '/groups/{name}',
  fromPath: { name: 'name' },
  revision: ({ name }, { projections }) => {
    const group = projections.groups.findByName(normalizeGroupName(String(name)));
    return group && observedGroup(group);
  },
} as const satisfies Partial<ManagementRow>;

export const GROUP_ROWS: readonly ManagementRow[] = [
  {
    operation: 'group list',
    method: 'GET',
    path: '/groups',
    id: 'listManagedGroups',
    summary: 'List the groups',
    response: { kind: 'list', item: GROUP, key: ['id'] },
  },
  {
    operation: 'group add',
    method: 'POST',
    path: '/groups',
    id: 'addGroup',
    summary: 'Create a group',
    body: {},
    response: { kind: 'one', schema: namedObject('ManagedNewGroup', { id: INTEGER, name: STRING }), status: 201 },
    example: { name: 'staff' },
  },
  {
    operation: 'group update',
    method: 'GET',
    ...BY_NAME,
    id: 'showGroup',
    summary: 'Read a group',
    constantInput: { changes: {} },
    response: { kind: 'one', schema: GROUP },
  },
  {
    operation: 'group update',
    method: 'PATCH',
    ...BY_NAME,
    id: 'updateGroup',
    summary: "Change a group's title",
    description: 'Pages show the title to users. The name does not change. An empty string removes the title.',
    body: { container: 'changes' },
    response: { kind: 'one', schema: GROUP },
    example: { title: 'All employees' },
  },
  {
    operation: 'group remove',
    method: 'DELETE',
    ...BY_NAME,
    id: 'removeGroup',
    summary: 'Remove a group and all its memberships',
    response: { kind: 'none' },
  },
  {
    operation: 'group show',
    method: 'GET',
    path: '/groups/{name}/members',
    id: 'listMembers',
    summary: 'List the members of a group',
    fromPath: { name: 'name' },
    response: { kind: 'list', item: MEMBER, key: ['id'] },
  },
  {
    operation: 'group add-user',
    method: 'POST',
    path: '/groups/{name}/members',
    id: 'addMember',
    summary: 'Add a user to a group',
    fromPath: { name: 'group' },
    body: {},
    response: { kind: 'one', schema: USER_GROUPS, status: 201 },
    example: { username: 'ada' },
  },
  {
    operation: 'group remove-user',
    method: 'DELETE',
    path: '/groups/{name}/members/{username}',
    id: 'removeMember',
    summary: 'Remove a user from a group',
    fromPath: { name: 'group', username: 'username' },
    response: { kind: 'none' },
  },
];
