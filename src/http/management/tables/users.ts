import { PROFILE_FIELDS } from '../../../domain/profile.ts';
import { observedAccount } from '../../../domain/streams.ts';
import { normalizeUserName } from '../../../domain/user-name.ts';
import type { OperationDeps } from '../../../operations/operation-context.ts';
import { STRING } from '../../openapi/shared-responses.ts';
import { forbidAddedRoles, forbidRoles, forbidPrivilegedUser } from '../privilege-checks.ts';
import type { Input, ManagementRow } from '../row.ts';
import {
  BOOLEAN,
  BOOLEAN_OR_NULL,
  COUNT,
  fields,
  INTEGER,
  namedObject,
  STRING_OR_NULL,
  STRINGS,
  TIME,
  TIME_OR_NULL,
} from '../schemas.ts';

const REFERENCE_MEMBERS = { id: INTEGER, username: STRING };
const USER_REFERENCE = namedObject('ManagedUserReference', REFERENCE_MEMBERS);
const USER_ENTRY = namedObject('ManagedUserEntry', {
  id: INTEGER,
  ...fields(['username', 'email', 'first_name', 'last_name'], STRING),
  email_verified: BOOLEAN,
  active: BOOLEAN,
  roles: STRINGS,
  created_at: TIME_OR_NULL,
  last_login_at: TIME_OR_NULL,
});
const USER = namedObject('ManagedUser', {
  id: INTEGER,
  username: STRING,
  ...fields(['email', 'first_name', 'last_name'], STRING_OR_NULL),
  email_verified: BOOLEAN_OR_NULL,
  active: BOOLEAN,
  roles: STRINGS,
  groups: STRINGS,
  two_step_login: BOOLEAN,
  ...fields(['passkeys', 'sessions', 'grants'], COUNT),
  ...fields(['created_at', 'last_login_at'], TIME_OR_NULL),
  updated_at: TIME,
});
const PROFILE_MEMBERS = {
  id: INTEGER,
  username: STRING,
  ...fields(['given_name', 'family_name', 'email', ...PROFILE_FIELDS], STRING_OR_NULL),
  email_verified: BOOLEAN_OR_NULL,
  updated_at: TIME,
};
const PROFILE = namedObject('ManagedProfile', PROFILE_MEMBERS);
const SHARED_ADDRESS_WARNING = { type: 'string', description: 'Another account also has the new address.' };
const CHANGED_PROFILE = namedObject('ManagedChangedProfile', { ...PROFILE_MEMBERS, warning: SHARED_ADDRESS_WARNING }, [
  'warning',
]);
const ADDED_USER = namedObject('ManagedNewUser', { ...REFERENCE_MEMBERS, warning: SHARED_ADDRESS_WARNING }, [
  'warning',
]);
const SECOND_FACTOR = namedObject('ManagedSecondFactor', {
  username: STRING,
  on: BOOLEAN,
  required: BOOLEAN,
  app_added_at: TIME_OR_NULL,
  app_last_used_at: TIME_OR_NULL,
  passkeys: COUNT,
  recovery_codes_left: COUNT,
});

const BY_NAME = { fromPath: { username: 'username' } } as const;
const NOT_IF_PRIVILEGED = 'Refused for accounts that have a role, or that own an application with a restricted scope.';

const revision = ({ username }: Input, { projections }: OperationDeps) => {
  const user = projections.users.findByName(normalizeUserName(String(username)));
  return user && observedAccount(user);
};

export const USER_ROWS: readonly ManagementRow[] = [
  {
    operation: 'user list',
    method: 'GET',
    path: '/users',
    id: 'listAllUsers',
    summary: 'List the accounts',
    fromQuery: {
      q: { member: 'search', kind: 'text' },
      role: { member: 'role', kind: 'text' },
      status: { member: 'status', kind: 'text' },
    },
    response: { kind: 'list', item: USER_ENTRY, key: ['id'] },
  },
  {
    operation: 'user add',
    method: 'POST',
    path: '/users',
    id: 'addUser',
    summary: 'Create an account',
    description:
      'The account has no role. Only administrators on the pages and the operator with `grantlog user roles` can ' +
      'give roles.',
    constantInput: { acceptsWeakPassword: false },
    body: { defaults: { email: '', firstName: '', lastName: '', roles: [] } },
    response: { kind: 'one', schema: ADDED_USER, status: 201 },
    privilegeChecks: [forbidRoles],
    example: { username: 'ada', password: 'a long and secret password', email: 'ada@example.org' },
  },
  {
    ...BY_NAME,
    operation: 'user show',
    method: 'GET',
    path: '/users/{username}',
    id: 'showUser',
    summary: 'Read an account',
    response: { kind: 'one', schema: USER },
    revision,
  },
  {
    ...BY_NAME,
    operation: 'user profile',
    method: 'PATCH',
    path: '/users/{username}',
    id: 'changeProfile',
    summary: "Update a user's profile",
    description:
      `An empty string removes a claim. ${NOT_IF_PRIVILEGED} ` +
      'Otherwise, the client could use a new address to reset the password.',
    constantInput: { verifyEmail: false },
    body: { container: 'changes' },
    response: { kind: 'one', schema: CHANGED_PROFILE },
    privilegeChecks: [forbidPrivilegedUser],
    revision,
    example: { given_name: 'Ada', family_name: 'Lovelace' },
  },
  {
    ...BY_NAME,
    operation: 'user profile',
    method: 'GET',
    path: '/users/{username}/profile',
    id: 'showProfile',
    summary: "Read a user's complete profile",
    constantInput: { verifyEmail: false, changes: {} },
    response: { kind: 'one', schema: PROFILE },
  },
  {
    ...BY_NAME,
    operation: 'user profile',
    method: 'POST',
    path: '/users/{username}/verify-email',
    id: 'verifyEmail',
    summary: "Record an account's e-mail address as verified",
    description: NOT_IF_PRIVILEGED,
    constantInput: { verifyEmail: true, changes: {} },
    response: { kind: 'one', schema: PROFILE },
    privilegeChecks: [forbidPrivilegedUser],
  },
  {
    ...BY_NAME,
    operation: 'user passwd',
    method: 'PUT',
    path: '/users/{username}/password',
    id: 'setPassword',
    summary: "Set an account's password, and end its sessions",
    description: NOT_IF_PRIVILEGED,
    constantInput: { acceptsWeakPassword: false },
    body: {},
    response: { kind: 'none' },
    privilegeChecks: [forbidPrivilegedUser],
    example: { password: 'a long and secret password' },
  },
  {
    ...BY_NAME,
    operation: 'user roles',
    method: 'PUT',
    path: '/users/{username}/roles',
    id: 'setRoles',
    summary: 'Remove roles from an account',
    description: 'The body lists the roles to keep. It cannot add a role, and at least one administrator must remain.',
    body: {},
    response: { kind: 'one', schema: namedObject('ManagedRoles', { id: INTEGER, username: STRING, roles: STRINGS }) },
    privilegeChecks: [forbidAddedRoles],
    example: { roles: [] },
  },
  {
    ...BY_NAME,
    operation: 'user disable',
    method: 'POST',
    path: '/users/{username}/disable',
    id: 'disableUser',
    summary: 'Disable an account: its user cannot log in, its sessions end, and its tokens are revoked',
    response: { kind: 'one', schema: USER_REFERENCE },
  },
  {
    ...BY_NAME,
    operation: 'user enable',
    method: 'POST',
    path: '/users/{username}/enable',
    id: 'enableUser',
    summary: 'Enable an account',
    description: NOT_IF_PRIVILEGED,
    response: { kind: 'one', schema: USER_REFERENCE },
    privilegeChecks: [forbidPrivilegedUser],
  },
  {
    ...BY_NAME,
    operation: 'user erase',
    method: 'DELETE',
    path: '/users/{username}',
    id: 'eraseUser',
    summary: 'Erase an account and its personal data. This cannot be undone',
    response: { kind: 'none' },
    revision,
  },
  {
    ...BY_NAME,
    operation: 'user second-factor',
    method: 'GET',
    path: '/users/{username}/second-factor',
    id: 'showSecondFactor',
    summary: "Read the state of a user's two-step login",
    constantInput: { remove: false },
    response: { kind: 'one', schema: SECOND_FACTOR },
  },
  {
    ...BY_NAME,
    operation: 'user second-factor',
    method: 'DELETE',
    path: '/users/{username}/second-factor',
    id: 'removeSecondFactor',
    summary: 'Remove the second factors of a user who has lost them',
    description: NOT_IF_PRIVILEGED,
    constantInput: { remove: true },
    response: { kind: 'none' },
    privilegeChecks: [forbidPrivilegedUser],
  },
];
