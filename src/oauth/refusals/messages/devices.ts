import { formatDuration, wire, type ProtocolMessagesFor } from '../messages.ts';

const FULL = {
  all: 'all applications together',
  client: 'this application',
  address: 'this address',
} as const;

/** The requests of devices (RFC 8628 §3.5). */
export const DEVICE_MESSAGES: ProtocolMessagesFor<
  'device-pending' | 'device-polls-too-fast' | 'device-code-expired' | 'device-denied' | 'devices-full'
> = {
  'device-pending': () => ({
    wire: wire('authorization_pending', 'the user has not decided yet'),
    rule: 'A device gets tokens once the user has approved its request (RFC 8628 §3.5).',
    expected: 'a request that the user has approved',
    seen: 'one that the user has neither approved nor denied',
    advice: 'Show the user code and its address to the user, and ask again after the interval. This is no failure.',
  }),
  'device-polls-too-fast': ({ intervalSeconds, seenSeconds }) => ({
    wire: wire('slow_down', 'wait longer between requests: the interval is now 5 seconds longer'),
    rule: 'A device waits between its requests, and longer after each slow_down (RFC 8628 §3.5).',
    expected: `at least ${formatDuration(intervalSeconds)} since the last request`,
    seen: formatDuration(seenSeconds),
    advice: 'Wait for the interval of the response, and add 5 seconds to it after each slow_down.',
  }),
  'device-code-expired': ({ secondsAgo, lifetimeSeconds }) => ({
    wire: wire('expired_token', 'the device code has expired; request a new one'),
    rule: 'A device code expires (RFC 8628 §3.2).',
    expected: `approval and redemption within ${formatDuration(lifetimeSeconds)}`,
    seen: `expired ${formatDuration(secondsAgo)} ago`,
    advice: 'Request a new device code when the user asks for it, and show the new user code.',
  }),
  'device-denied': () => ({
    wire: wire('access_denied', 'the user denied the request'),
    rule: 'A device gets no tokens if the user denies its request (RFC 8628 §3.5).',
    expected: 'a request that the user has approved',
    seen: 'one that the user has denied',
    advice: 'Stop asking. The user can start again.',
  }),
  'devices-full': ({ who, most }) => ({
    wire: wire('temporarily_unavailable', 'too many devices are waiting for approval; try again later', 503),
    rule: 'The number of devices that wait for approval at the same time is limited.',
    expected: `at most ${most} waiting requests of ${FULL[who]}`,
    seen: `${most} waiting requests`,
    advice: 'Requests expire after a few minutes. Request a device code only when a user starts a login.',
  }),
};
