import { STRING } from '../../openapi/shared-responses.ts';
import { forbidRoles, forbidLinkWithRole } from '../privilege-checks.ts';
import type { ManagementRow } from '../row.ts';
import { BOOLEAN, INTEGER, namedObject, STRING_OR_NULL, STRINGS, TIME } from '../schemas.ts';

const INVITATION_MEMBERS = { address: STRING, roles: STRINGS, sent: BOOLEAN, link: STRING_OR_NULL, expires_at: TIME };
const INVITATION = namedObject('ManagedInvitation', INVITATION_MEMBERS);
const DUPLICATE_WARNING = {
  type: 'string',
  description: 'A user has this address but has not verified it, or an earlier invitation to this address is pending.',
};
const NEW_INVITATION = namedObject('ManagedNewInvitation', { ...INVITATION_MEMBERS, warning: DUPLICATE_WARNING }, [
  'warning',
]);
const PENDING_INVITATION = namedObject('ManagedPendingInvitation', {
  id: INTEGER,
  address: STRING,
  roles: STRINGS,
  invited_by: STRING,
  sent_at: TIME,
  expires_at: TIME,
  usable: {
    type: 'boolean',
    description: 'False while passwords are off and no required provider links the address.',
  },
});

export const INVITATION_ROWS: readonly ManagementRow[] = [
  {
    operation: 'user invite',
    method: 'POST',
    path: '/invitations',
    id: 'inviteUser',
    summary: 'Invite a new user by e-mail to create an account',
    description:
      'If the server sends no mail, the response contains the link instead. Refused while passwords are off and no ' +
      'required provider links the address.',
    body: { defaults: { roles: [] } },
    response: { kind: 'one', status: 201, schema: NEW_INVITATION },
    privilegeChecks: [forbidRoles],
    example: { address: 'ada@example.org' },
  },
  {
    operation: 'invitation list',
    method: 'GET',
    path: '/invitations',
    id: 'listInvitations',
    summary: 'List the pending invitations',
    fromQuery: { q: { member: 'search', kind: 'text' } },
    response: { kind: 'list', item: PENDING_INVITATION, key: ['id'] },
  },
  {
    operation: 'invitation resend',
    method: 'POST',
    path: '/invitations/{id}/send',
    id: 'resendInvitation',
    summary: 'Send a new link for an invitation. The link works for a week',
    description:
      'If the server sends no mail, the response contains the link instead, but the request is refused if the ' +
      'invitation has a role. An invitation with a role still ends when the administrator who sent it loses the ' +
      'administrator role.',
    fromPath: { id: 'invitation' },
    response: { kind: 'one', schema: INVITATION },
    privilegeChecks: [forbidLinkWithRole],
  },
  {
    operation: 'invitation withdraw',
    method: 'DELETE',
    path: '/invitations/{id}',
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation. Its links stop working',
    fromPath: { id: 'invitation' },
    response: { kind: 'none' },
  },
];
