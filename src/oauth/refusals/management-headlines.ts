import type { RefusalOf } from './refusal.ts';

/** The headlines of FAPI Grant Management. */
export const MANAGEMENT_HEADLINES = {
  'grant-management-not-allowed': 'The application must not manage grants',
  'grant-id-misplaced': ({ beside }: RefusalOf<'grant-id-misplaced'>) => `grant_id with ${beside}`,
  'grant-id-unknown': 'No such grant to update',
  'grant-management-for-device': 'Grant management for a device',
  'merge-of-all-resources': 'A merge of some resource servers with all',
  'merge-too-large': 'A merge with too many authorization details',
  'updated-grant-ended': 'The grant to update has ended',
} as const;
