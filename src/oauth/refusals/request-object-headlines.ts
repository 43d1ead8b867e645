import type { RefusalOf } from './refusal.ts';

/** Request objects that were refused. */
export const OBJECT_PROBLEMS: Readonly<Record<RefusalOf<'request-object-malformed'>['problem'], string>> = {
  'not-a-jwt': 'The request object cannot be read',
  encrypted: 'The request object is encrypted',
  nested: 'The request object contains another one',
  critical: 'The request object demands an extension',
};

export const OBJECT_TIMES: Readonly<Record<RefusalOf<'request-object-time'>['problem'], string>> = {
  'no-expiry': 'The request object never expires',
  'no-start': 'The request object does not state when it begins',
  expired: 'The request object has expired',
  'too-long': 'The request object is valid for too long',
  'not-yet': 'The request object is from the future',
  'too-old': 'The request object is too old',
};
