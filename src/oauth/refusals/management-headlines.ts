import { message } from '../../language/message.ts';
import type { RefusalOf } from './refusal.ts';

/** The headlines for refused grant management requests (FAPI Grant Management). */
export const MANAGEMENT_HEADLINES = {
  'grant-management-not-allowed': 'headline.grant-management-not-allowed',
  'grant-id-misplaced': ({ beside }: RefusalOf<'grant-id-misplaced'>) =>
    message('headline.grant-id-misplaced', { beside }),
  'grant-id-unknown': 'headline.grant-id-unknown',
  'grant-management-for-device': 'headline.grant-management-for-device',
  'merge-of-all-resources': 'headline.merge-of-all-resources',
  'merge-too-large': 'headline.merge-too-large',
  'updated-grant-ended': 'headline.updated-grant-ended',
} as const;
