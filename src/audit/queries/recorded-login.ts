import { decodeEvent, type Login } from '../../domain/events.ts';
import type { RecordedEvent } from '../../event-store/event-log.ts';

const TYPES_WITH_LOGIN = [
  'ConsentGiven',
  'AuthorizationCodeIssued',
  'DeviceAuthorized',
  'AccessTokenIssued',
  'RefreshTokenIssued',
  'GrantSummarized',
];

/**
 * Returns the login that an event of a grant is based on, `not recorded` if an earlier release wrote the event, or null
 * for other events and for tokens of clients that act on their own behalf.
 */
export function recordedLogin(event: RecordedEvent): Login | 'not recorded' | null {
  if (!TYPES_WITH_LOGIN.includes(event.type)) return null;
  const { data } = decodeEvent(event);
  if ('login' in data && data.login !== undefined) return data.login;
  return 'userId' in data && data.userId !== null ? 'not recorded' : null;
}
