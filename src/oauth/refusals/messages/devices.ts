import { message } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';

const FULL_LIMITS = {
  all: message('refusal.devices.full.all'),
  client: message('refusal.devices.full.client'),
  address: message('refusal.devices.full.address'),
} as const;

/** Messages about requests from devices (RFC 8628 §3.5). */
export const DEVICE_MESSAGES: ProtocolMessagesFor<
  'device-pending' | 'device-polls-too-fast' | 'device-code-expired' | 'device-denied' | 'devices-full'
> = {
  'device-pending': () => ({
    wire: wire('authorization_pending', 'the user has not decided yet'),
    rule: message('refusal.device-pending.rule'),
    expected: message('refusal.device-pending.expected'),
    seen: message('refusal.device-pending.seen'),
    advice: message('refusal.device-pending.advice'),
  }),
  'device-polls-too-fast': ({ intervalSeconds, seenSeconds }) => ({
    wire: wire('slow_down', 'wait longer between requests: the interval is now 5 seconds longer'),
    rule: message('refusal.device-polls-too-fast.rule'),
    expected: message('refusal.device-polls-too-fast.expected', { duration: durationMessage(intervalSeconds) }),
    seen: durationMessage(seenSeconds),
    advice: message('refusal.device-polls-too-fast.advice'),
  }),
  'device-code-expired': ({ secondsAgo, lifetimeSeconds }) => ({
    wire: wire('expired_token', 'the device code has expired; request a new one'),
    rule: message('refusal.device-code-expired.rule'),
    expected: message('refusal.device-code-expired.expected', { duration: durationMessage(lifetimeSeconds) }),
    seen: message('refusal.device-code-expired.seen', { duration: durationMessage(secondsAgo) }),
    advice: message('refusal.device-code-expired.advice'),
  }),
  'device-denied': () => ({
    wire: wire('access_denied', 'the user denied the request'),
    rule: message('refusal.device-denied.rule'),
    expected: message('refusal.device-denied.expected'),
    seen: message('refusal.device-denied.seen'),
    advice: message('refusal.device-denied.advice'),
  }),
  'devices-full': ({ who, most }) => ({
    wire: wire('temporarily_unavailable', 'too many devices are waiting for approval; try again later', 503),
    rule: message('refusal.devices-full.rule'),
    expected: message('refusal.devices-full.expected', { limit: most, full: FULL_LIMITS[who] }),
    seen: message('refusal.devices-full.seen', { limit: most }),
    advice: message('refusal.devices-full.advice'),
  }),
};
