import { STRING } from '../../openapi/shared-responses.ts';
import { forbidRoles, forbidLinkWithRole } from '../power.ts';
import type { ManagementRow } from '../row.ts';
import { BOOLEAN, INTEGER, namedObject, STRING_OR_NULL, STRINGS, TIME } from '../schemas.ts';

const INVITATION_MEMBERS = { address: STRING, roles: STRINGS, sent: BOOLEAN, link: STRING_OR_NULL, expires_at: TIME };
const INVITATION = namedObject('ManagedInvitation', INVITATION_MEMBERS);
const REPEATED_WARNING = {
  type: 'string',
  description: 'A user has the address without having verified it, or another invitation to it is pending.',
};
const NEW_INVITATION = namedObject('ManagedNewInvitation', { ...INVITATION_MEMBERS, warning: REPEATED_WARNING }, [
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
    powerChecks: [forbidRoles],
    example: { address: 'ada@example.org' },
  },
  {
    operation: 'invitation list',
    method: 'GET',
    path: '/invitations',
    id: 'listInvitations',
    summary: 'List the invitations that can still be used',
    fromQuery: { q: { member: 'search', kind: 'text' } },
    response: { kind: 'list', item: PENDING_INVITATION, key: ['id'] },
  },
  {
    operation: 'invitation resend',
    method: 'POST',
    path: '/invitations/{id}/send',
    id: 'resendInvitation',
    summary: 'Send another link for an invitation, which works for a week',
    description:
      'If the server sends no mail, the response contains the link instead, and an invitation with a role is ' +
      'refused. An invitation with a role still becomes invalid when the administrator who gave the role loses theirs.',
    fromPath: { id: 'invitation' },
    response: { kind: 'one', schema: INVITATION },
    powerChecks: [forbidLinkWithRole],
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
