import type { UserId } from '../../domain/values.ts';
import { deviceCodeExpiry, type DeviceRequest } from './device-codes.ts';

/** Whose requests fill the table. */
export type FullFor = 'all' | 'client' | 'address';

/** The outcome of a request of the device that waits. */
export type Poll =
  | { readonly pace: 'fine' }
  /** It came `seenSeconds` after the one before, sooner than `intervalSeconds`, which are 5 more from now on. */
  | { readonly pace: 'too-fast'; readonly intervalSeconds: number; readonly seenSeconds: number };

/**
 * The requests of devices that wait for their users, in memory of a fixed size. A request that is not here cannot be
 * approved; a restart forgets all of them. Each device asks every few seconds with its code, which contains the
 * request, and that puts it here again.
 */
export interface PendingDevices {
  /**
   * Adds the request unless it is here.
   * @param isAddressLimited whether requests from its address are limited
   * @returns whose limit refuses it; undefined if it is here now
   */
  add(request: DeviceRequest, isAddressLimited: boolean, now: number): FullFor | undefined;
  find(userCode: string, now: number): DeviceRequest | undefined;
  /**
   * Reserves the request for the first user who entered its code.
   * @returns whether that is this user
   */
  claim(request: DeviceRequest, userId: UserId): boolean;
  /** Records that the device has asked. @param ticks milliseconds */
  poll(request: DeviceRequest, ticks: number): Poll;
  /** Removes a request about which the user has decided. */
  remove(request: DeviceRequest): void;
  size(): number;
}

/**
 * The most requests at the same time. An entry takes less than 2 KB. One client gets a quarter, so that its requests
 * alone lock out no other client; an address gets as many as a large household or an office has devices.
 */
export const MOST_PENDING: Readonly<Record<FullFor, number>> = { all: 10_000, client: 2_500, address: 100 };

/** RFC 8628 §3.2. */
export const POLL_SECONDS = 5;

/** Networks delay some requests more than others. */
const TOLERANCE_MS = 500;

interface Entry {
  readonly request: DeviceRequest;
  readonly isAddressLimited: boolean;
  claimedBy: UserId | undefined;
  intervalSeconds: number;
  polledAt: number | undefined;
}

export function createPendingDevices(most: Readonly<Record<FullFor, number>> = MOST_PENDING): PendingDevices {
  const byCode = new Map<string, Entry>();
  const byClient = createTally();
  const byAddress = createTally();
  let sweptAt = -Infinity;

  function remove(entry: Entry): void {
    const { userCode, clientId, address } = entry.request;
    if (!byCode.delete(userCode)) return;
    byClient.add(clientId, -1);
    if (entry.isAddressLimited) byAddress.add(address, -1);
  }

  /** At most once a second, because it visits every entry. */
  function sweep(now: number): void {
    if (now === sweptAt) return;
    sweptAt = now;
    for (const entry of byCode.values()) if (isOver(entry, now)) remove(entry);
  }

  function fullFor({ clientId, address }: DeviceRequest, isAddressLimited: boolean): FullFor | undefined {
    if (isAddressLimited && byAddress.of(address) >= most.address) return 'address';
    if (byClient.of(clientId) >= most.client) return 'client';
    return byCode.size >= most.all ? 'all' : undefined;
  }

  function entryOf({ userCode, codeHash }: DeviceRequest): Entry | undefined {
    const entry = byCode.get(userCode);
    return entry?.request.codeHash === codeHash ? entry : undefined;
  }

  return {
    add(request, isAddressLimited, now) {
      sweep(now);
      const known = byCode.get(request.userCode);
      // The first of two requests with equal user codes keeps it. That almost never happens.
      if (known !== undefined) return known.request.codeHash === request.codeHash ? undefined : 'all';
      const full = fullFor(request, isAddressLimited);
      if (full !== undefined) return full;
      const waiting = { claimedBy: undefined, intervalSeconds: POLL_SECONDS, polledAt: undefined };
      byCode.set(request.userCode, { request, isAddressLimited, ...waiting });
      byClient.add(request.clientId, 1);
      if (isAddressLimited) byAddress.add(request.address, 1);
      return undefined;
    },

    find(userCode, now) {
      const entry = byCode.get(userCode);
      return entry === undefined || isOver(entry, now) ? undefined : entry.request;
    },

    claim(request, userId) {
      const entry = entryOf(request);
      if (entry !== undefined) entry.claimedBy ??= userId;
      return entry?.claimedBy === userId;
    },

    poll(request, ticks) {
      const entry = entryOf(request);
      if (entry === undefined) return { pace: 'fine' };
      const { polledAt, intervalSeconds } = entry;
      entry.polledAt = ticks;
      const waited = polledAt === undefined ? Infinity : ticks - polledAt;
      if (waited + TOLERANCE_MS >= intervalSeconds * 1_000) return { pace: 'fine' };
      entry.intervalSeconds += POLL_SECONDS;
      return { pace: 'too-fast', intervalSeconds, seenSeconds: Math.max(0, Math.floor(waited / 1_000)) };
    },

    remove(request) {
      const entry = entryOf(request);
      if (entry !== undefined) remove(entry);
    },

    size: () => byCode.size,
  };
}

function isOver({ request }: Entry, now: number): boolean {
  return now >= deviceCodeExpiry(request);
}

/** Counts by key, without keys that count nothing. */
function createTally() {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add(key: string, change: 1 | -1): void {
      const count = (counts.get(key) ?? 0) + change;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}
