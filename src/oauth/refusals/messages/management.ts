import { english } from '../../../language/english.ts';
import { message, type Text } from '../../../language/message.ts';
import type { ManagementRefusal } from '../management-refusal.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';
import { INVALID_CODE } from './credentials.ts';

const SEEN_GRANT_IDS: Readonly<Record<RefusalOf<'grant-id-unknown'>['problem'], Text>> = {
  malformed: message('refusal.management.unknown-seen.malformed'),
  'not-current': message('refusal.management.unknown-seen.not-current'),
  'another-user': message('refusal.management.unknown-seen.another-user'),
};

/** Messages about grant management (FAPI Grant Management). */
export const MANAGEMENT_MESSAGES: ProtocolMessagesFor<ManagementRefusal['rule']> = {
  'grant-management-not-allowed': ({ because }) => ({
    wire: wire('unauthorized_client', 'the client may not use grant_management_action'),
    rule: message('refusal.grant-management-not-allowed.rule'),
    expected: message('refusal.grant-management-not-allowed.expected'),
    seen:
      because === 'public'
        ? message('refusal.grant-management-not-allowed.seen')
        : message('refusal.grant-management-not-allowed.seen-2'),
    advice:
      because === 'public'
        ? message('refusal.grant-management-not-allowed.advice-2')
        : message('refusal.grant-management-not-allowed.advice'),
  }),
  'grant-management-for-device': () => ({
    wire: wire('invalid_request', 'grant_management_action and grant_id are not supported for devices'),
    rule: message('refusal.grant-management-for-device.rule'),
    expected: message('refusal.grant-management-for-device.expected'),
    seen: message('refusal.grant-management-for-device.seen'),
    advice: message('refusal.grant-management-for-device.advice'),
  }),
  'grant-id-misplaced': ({ beside }) => ({
    wire: wire(
      'invalid_request',
      beside === 'create'
        ? 'grant_id must not be sent with grant_management_action=create'
        : 'grant_id must not be sent without grant_management_action',
    ),
    rule: message('refusal.grant-id-misplaced.rule'),
    expected: message('refusal.grant-id-misplaced.expected'),
    seen: message('refusal.grant-id-misplaced.seen', { beside }),
    advice: message('refusal.grant-id-misplaced.advice'),
  }),
  'grant-id-unknown': ({ problem }) => ({
    wire: wire('invalid_grant_id', 'grant_id does not identify a current grant from this user to this client'),
    rule: message('refusal.grant-id-unknown.rule'),
    expected: message('refusal.grant-id-unknown.expected'),
    seen: SEEN_GRANT_IDS[problem],
    advice: message('refusal.grant-id-unknown.advice'),
  }),
  'merge-of-all-resources': ({ restricted }) => ({
    wire: wire('invalid_target', 'access to all resource servers cannot be merged with access to some of them'),
    rule: message('refusal.merge-of-all-resources.rule'),
    expected: message('refusal.merge-of-all-resources.expected'),
    seen:
      restricted === 'request'
        ? message('refusal.merge-of-all-resources.seen')
        : message('refusal.merge-of-all-resources.seen-2'),
    advice:
      restricted === 'request'
        ? message('refusal.merge-of-all-resources.advice')
        : message('refusal.merge-of-all-resources.advice-2'),
  }),
  'merge-too-large': ({ limit }) => ({
    wire: wire(
      'invalid_authorization_details',
      `the grant and the request together exceed the limit: ${english.text(limit)}`,
    ),
    rule: message('refusal.merge-too-large.rule'),
    expected: limit,
    seen: message('refusal.merge-too-large.seen'),
    advice: message('refusal.merge-too-large.advice'),
  }),
  'updated-grant-ended': () => ({
    wire: INVALID_CODE,
    rule: message('refusal.updated-grant-ended.rule'),
    expected: message('refusal.updated-grant-ended.expected'),
    seen: message('refusal.updated-grant-ended.seen'),
    advice: message('refusal.updated-grant-ended.advice'),
  }),
};
