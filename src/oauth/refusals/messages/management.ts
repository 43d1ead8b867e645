import type { ManagementRefusal } from '../management-refusal.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';
import { INVALID_CODE } from './credentials.ts';

const UNKNOWN_SEEN: Readonly<Record<RefusalOf<'grant-id-unknown'>['problem'], string>> = {
  malformed: 'something that is no grant id of this server',
  'not-current': 'an id under which this client has no grant, or none any more',
  'another-user': 'the grant of another user than the one who is logged in',
};

/** FAPI Grant Management. */
export const MANAGEMENT_MESSAGES: ProtocolMessagesFor<ManagementRefusal['rule']> = {
  'grant-management-not-allowed': ({ because }) => ({
    wire: wire('unauthorized_client', 'the client must not use grant_management_action'),
    rule: 'Confidential clients manage grants, if the operator allows them a scope for it.',
    expected: 'a confidential client with the scope grant_management_query or grant_management_revoke',
    seen: because === 'public' ? 'a public client' : 'neither scope',
    advice: 'Ask the operator: grantlog client update ID --allow-scope grant_management_query.',
  }),
  'grant-management-for-device': () => ({
    wire: wire('invalid_request', 'grant_management_action and grant_id are not supported for devices'),
    rule: 'Grants are managed by applications that receive authorization codes.',
    expected: 'a device authorization request without grant_management_action and grant_id',
    seen: 'one of the two',
    advice: 'Leave them out, or send the user to the authorization endpoint.',
  }),
  'grant-id-misplaced': ({ beside }) => ({
    wire: wire(
      'invalid_request',
      beside === 'create'
        ? 'grant_id must not be sent with grant_management_action=create'
        : 'grant_id must not be sent without grant_management_action',
    ),
    rule: 'grant_id names the grant to replace or merge.',
    expected: 'grant_id with grant_management_action=replace or merge, or neither',
    seen: `grant_id with ${beside}`,
    advice: 'Leave out grant_id for a new grant. To update one, send replace or merge.',
  }),
  'grant-id-unknown': ({ problem }) => ({
    wire: wire('invalid_grant_id', 'grant_id is not the id of a grant that this user gave this client'),
    rule: 'A client updates only its own grants, while they have not ended, and only with the user who gave them.',
    expected: 'the grant_id of a token response to this client, for the user who is logged in',
    seen: UNKNOWN_SEEN[problem],
    advice: 'If the grant has ended, begin a new one with grant_management_action=create.',
  }),
  'merge-of-all-resources': ({ restricted }) => ({
    wire: wire('invalid_target', 'a grant for all resource servers cannot be merged with one for some of them'),
    rule: 'Merging adds scopes and resource servers. A scope of some of them must not become one of all.',
    expected: 'resource in the request exactly if the grant is restricted to resource servers',
    seen: restricted === 'request' ? 'resource, and a grant for all' : 'no resource, and a grant for some',
    advice: restricted === 'request' ? 'Leave out resource, or send replace.' : 'Send resource, or replace.',
  }),
  'merge-too-large': ({ limit }) => ({
    wire: wire('invalid_authorization_details', `the grant and the request together exceed the limit: ${limit}`),
    rule: 'A merged grant has no more authorization details than one request can have.',
    expected: limit,
    seen: 'more, in the grant and the request together',
    advice: 'Send replace, with the details that are still needed, or create another grant.',
  }),
  'updated-grant-ended': () => ({
    wire: INVALID_CODE,
    rule: 'The code of an update is redeemed while the grant to update is the current one.',
    expected: 'a grant that has not ended, and that no other update has replaced',
    seen: 'one that was revoked, or replaced by another update, after the user consented',
    advice: 'Ask again: with replace or merge if the grant is still there, otherwise with create.',
  }),
};
