import type { MessageKey } from '../../language/catalog.ts';
import type { RefusalOf } from './refusal.ts';

/** The headlines for malformed request objects. */
export const OBJECT_PROBLEMS: Readonly<Record<RefusalOf<'request-object-malformed'>['problem'], MessageKey>> = {
  'not-a-jwt': 'headline.request-object-malformed.not-a-jwt',
  encrypted: 'headline.request-object-malformed.encrypted',
  nested: 'headline.request-object-malformed.nested',
  critical: 'headline.request-object-malformed.critical',
};

/** The headlines for request objects that are not valid now, or are valid for too long. */
export const OBJECT_TIMES: Readonly<Record<RefusalOf<'request-object-time'>['problem'], MessageKey>> = {
  'no-expiry': 'headline.request-object-time.no-expiry',
  'no-start': 'headline.request-object-time.no-start',
  expired: 'headline.request-object-time.expired',
  'too-long': 'headline.request-object-time.too-long',
  'not-yet': 'headline.request-object-time.not-yet',
  'too-old': 'headline.request-object-time.too-old',
};
