import type { LogoutFailureReason } from '../../domain/events.ts';
import type { MessageKey } from '../../language/catalog.ts';

/** Why a logout token could not be delivered, as the end of a sentence after a colon. */
export const LOGOUT_FAILURES: Readonly<Record<LogoutFailureReason, MessageKey>> = {
  withdrawn: 'logouts.withdrawn',
  'url-refused': 'logouts.url-refused',
  'address-refused': 'logouts.address-refused',
  'name-unresolved': 'logouts.name-unresolved',
  'connection-failed': 'logouts.connection-failed',
  'timed-out': 'logouts.timed-out',
  redirected: 'logouts.redirected',
  'error-status': 'logouts.error-status',
  'too-large': 'logouts.too-large',
  malformed: 'logouts.malformed',
};
