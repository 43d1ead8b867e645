import type { UserId } from '../../domain/values.ts';
import { fromPayload, toPayloads, type Broadcast } from '../../platform/broadcast/broadcast.ts';
import { createPerSecondBudget } from '../refusals/per-second-budget.ts';
import type { DeviceCodes, DeviceRequest } from './device-codes.ts';
import type { PendingDevices } from './pending-devices.ts';

/** Pending devices whose requests can be announced to the other nodes. */
export interface AnnouncedDevices extends PendingDevices {
  /**
   * Tells the other nodes about a new request.
   * @param deviceCode the code that contains the request
   */
  announce(deviceCode: string, isAddressLimited: boolean): void;
}

/**
 * The maximum number of announcements per second, so that a flood of requests does not become a flood of messages.
 * Other nodes learn of the remaining requests when the devices poll them.
 */
const ANNOUNCED_PER_SECOND = 50;

const TOPIC = 'devices';

type Message =
  | readonly ['request', deviceCode: string, isAddressLimited: boolean]
  | readonly ['claim', grantId: string, userCode: string, userId: UserId];

/** Returns the devices with an `announce` that does nothing, for a node that does not share the log. */
export function unsharedDevices(devices: PendingDevices): AnnouncedDevices {
  return { ...devices, announce: () => {} };
}

/**
 * Returns the devices, extended to tell the other nodes about requests and about the users who entered their codes.
 * These messages are best effort: the log ensures that a request is answered only once, and the form that a user
 * approves is bound to that user on every node.
 */
export function shareDevices(
  devices: PendingDevices,
  {
    broadcast,
    codes,
    now,
  }: { readonly broadcast: Broadcast; readonly codes: Pick<DeviceCodes, 'open'>; now(): number },
): AnnouncedDevices {
  const budget = createPerSecondBudget(ANNOUNCED_PER_SECOND);
  let pendingMessages: Message[] = [];

  function send(message: Message): void {
    if (pendingMessages.length === 0)
      broadcast.schedule(() => {
        const payloads = toPayloads(pendingMessages);
        pendingMessages = [];
        for (const payload of payloads) broadcast.publish(TOPIC, payload);
      });
    pendingMessages.push(message);
  }

  function receive(message: Message): void {
    if (message[0] === 'request') {
      const request = codes.open(message[1]);
      if (request !== undefined) devices.add(request, message[2], now());
      return;
    }
    const [, grantId, userCode, userId] = message;
    const request = devices.find(userCode, now());
    if (request?.grantId === grantId) devices.claim(request, userId);
  }

  broadcast.subscribe(TOPIC, (payload) => {
    for (const item of fromPayload(payload)) if (isMessage(item)) receive(item);
  });

  return {
    ...devices,
    announce(deviceCode, isAddressLimited) {
      if (budget.admits(Math.floor(now()))) send(['request', deviceCode, isAddressLimited]);
    },
    claim(request: DeviceRequest, userId) {
      const isClaimed = devices.claim(request, userId);
      if (isClaimed) send(['claim', request.grantId, request.userCode, userId]);
      return isClaimed;
    },
  };
}

/** Returns false for a message in another release's format. */
function isMessage(item: unknown): item is Message {
  if (!Array.isArray(item)) return false;
  const [kind, ...rest] = item as readonly unknown[];
  if (kind === 'request') return typeof rest[0] === 'string' && typeof rest[1] === 'boolean';
  return kind === 'claim' && rest.length === 3 && rest.every((field) => typeof field === 'string');
}
