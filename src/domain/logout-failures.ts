import type { LogoutFailureReason } from './events.ts';

/** Why a logout token could not be delivered. */
export interface LogoutFailure {
  readonly reason: LogoutFailureReason;
  /** The HTTP status of the last response, if that is the reason. */
  readonly status?: number | undefined;
}

const TEXTS: Readonly<Record<LogoutFailureReason, string>> = {
  withdrawn: 'the application was removed, or gets no logout tokens any more',
  'url-refused': 'this server does not send requests to its logout URI; http needs the setting outgoingHttp',
  'address-refused':
    'its logout URI is at an address that this server does not contact; private networks need the setting ' +
    'outgoingNetworks',
  'name-unresolved': 'the host name of its logout URI has no address',
  'connection-failed': 'the connection to its logout URI failed',
  'timed-out': 'its logout URI took too long to respond',
  redirected: 'its logout URI responded with a redirect',
  'error-status': 'its logout URI responded with an error',
  'too-large': 'its logout URI responded with too many headers',
  malformed: 'its logout URI did not respond with HTTP',
};

/** The failure in words, as the end of a sentence after a colon. */
export function describeLogoutFailure({ reason, status }: LogoutFailure): string {
  return status === undefined ? TEXTS[reason] : `${TEXTS[reason]} (status ${status})`;
}
