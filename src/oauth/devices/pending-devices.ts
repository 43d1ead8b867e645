import type { ClientId, UserId } from '../../domain/values.ts';
import { deviceCodeExpiry, type DeviceRequest } from './device-codes.ts';

/**
 * The limit that a request exceeds: the limit of the table (`all`), the client or the address. Also `all` if the user
 * code is already in use.
 */
export type PendingLimit = 'all' | 'client' | 'address';

/** Whether a device polls too fast. */
export type Poll =
  | { readonly pace: 'fine' }
  /** The device polled after `seenSeconds` instead of `intervalSeconds`. The interval grows by 5 s (RFC 8628 §3.5). */
  | { readonly pace: 'too-fast'; readonly intervalSeconds: number; readonly seenSeconds: number };

/**
 * An in-memory table of limited size with the requests of devices that are waiting for their users' decisions. A
 * request can be approved only while it is in the table. A restart clears the table, but each device polls every few
 * seconds with its code, which contains the request, so the next poll adds the request again.
 *
 * Once the table is full, the owners of the clients share it fairly: a new request replaces a request of the owner with
 * the most requests, unless the new request's owner has the same number or only one fewer. A full table therefore never
 * refuses or removes a request of an owner with less than an equal share, rounded down.
 */
export interface PendingDevices {
  /**
   * Adds the request unless the table already contains it.
   * @param isAddressLimited whether the number of requests from its address is limited
   * @returns the limit that the request exceeds; undefined if the table now contains the request
   */
  add(request: DeviceRequest, isAddressLimited: boolean, now: number): PendingLimit | undefined;
  /** Returns the pending request with the user code, if any. */
  find(userCode: string, now: number): DeviceRequest | undefined;
  /** Like `find`, but also returns undefined if another user entered the code first. */
  findFor(userId: UserId, userCode: string, now: number): DeviceRequest | undefined;
  /**
   * Reserves the request for this user, unless another user entered its code first.
   * @returns whether the request is reserved for this user; false if it is not in the table
   */
  claim(request: DeviceRequest, userId: UserId): boolean;
  /**
   * Records that the device has polled.
   * @param ticks the current time of a monotonic clock, in milliseconds
   */
  poll(request: DeviceRequest, ticks: number): Poll;
  /** Removes a request that has been approved or denied. */
  remove(request: DeviceRequest): void;
  size(): number;
}

/**
 * The maximum numbers of pending requests. An entry takes less than 2 KB, plus up to 5 KB for authorization details. A
 * client gets at most a quarter of the table, and an address gets enough for a large household or an office.
 */
export const MAX_PENDING: Readonly<Record<PendingLimit, number>> = { all: 10_000, client: 2_500, address: 100 };

/** The initial polling interval (RFC 8628 §3.2), and the amount by which it grows (§3.5). */
export const POLL_SECONDS = 5;

/** How early a device may poll, because networks delay some requests more than others. */
const TOLERANCE_MS = 500;

interface Entry {
  readonly request: DeviceRequest;
  readonly owner: string;
  readonly isAddressLimited: boolean;
  claimedBy: UserId | undefined;
  intervalSeconds: number;
  polledAt: number | undefined;
}

export interface PendingDevicesDeps {
  /** Returns the user whose share the client's requests use, or undefined if only administrators manage the client. */
  readonly ownerOf: (clientId: ClientId) => UserId | undefined;
  readonly limits?: Readonly<Record<PendingLimit, number>>;
}

export function createPendingDevices({ ownerOf, limits = MAX_PENDING }: PendingDevicesDeps): PendingDevices {
  const entriesByCode = new Map<string, Entry>();
  const entriesByOwner = createGroups<Entry>();
  const entriesByClient = createGroups<Entry>();
  const entriesByAddress = createGroups<Entry>();
  let sweptAt = -Infinity;

  function insert(entry: Entry): void {
    const { userCode, clientId, address } = entry.request;
    entriesByCode.set(userCode, entry);
    entriesByOwner.add(entry.owner, entry);
    entriesByClient.add(clientId, entry);
    if (entry.isAddressLimited) entriesByAddress.add(address, entry);
  }

  function remove(entry: Entry): void {
    const { userCode, clientId, address } = entry.request;
    if (!entriesByCode.delete(userCode)) return;
    entriesByOwner.delete(entry.owner, entry);
    entriesByClient.delete(clientId, entry);
    entriesByAddress.delete(address, entry);
  }

  /** Removes expired entries, but at most once a second, because a sweep visits every entry. */
  function sweep(now: number): void {
    if (now === sweptAt) return;
    sweptAt = now;
    for (const entry of entriesByCode.values()) if (hasExpired(entry, now)) remove(entry);
  }

  function findReachedLimit({ clientId, address }: DeviceRequest, isAddressLimited: boolean): PendingLimit | undefined {
    if (isAddressLimited && entriesByAddress.membersOf(address).size >= limits.address) return 'address';
    return entriesByClient.membersOf(clientId).size >= limits.client ? 'client' : undefined;
  }

  /**
   * Makes room in a full table for a request of the owner.
   * @returns whether there is now room
   */
  function evictFor(owner: string): boolean {
    const largest = entriesByOwner.largest(entriesByOwner.keys());
    // A difference of one is not enough: the two owners would keep displacing each other's requests.
    if (entriesByOwner.membersOf(largest).size <= entriesByOwner.membersOf(owner).size + 1) return false;
    const clients = new Set([...entriesByOwner.membersOf(largest)].map(({ request }) => request.clientId));
    const entries = [...entriesByClient.membersOf(entriesByClient.largest(clients))].filter(
      (entry) => entry.owner === largest,
    );
    // The oldest request is the most likely to have been abandoned, unless a user has entered its code.
    const victim = entries.find(({ claimedBy }) => claimedBy === undefined) ?? entries[0];
    if (victim !== undefined) remove(victim);
    return victim !== undefined;
  }

  function findEntry({ userCode, codeHash }: DeviceRequest): Entry | undefined {
    const entry = entriesByCode.get(userCode);
    return entry?.request.codeHash === codeHash ? entry : undefined;
  }

  return {
    add(request, isAddressLimited, now) {
      sweep(now);
      const existingEntry = entriesByCode.get(request.userCode);
      // Two requests are very unlikely to have the same user code. If they do, the first request keeps it.
      if (existingEntry !== undefined) return existingEntry.request.codeHash === request.codeHash ? undefined : 'all';
      const exceededLimit = findReachedLimit(request, isAddressLimited);
      if (exceededLimit !== undefined) return exceededLimit;
      const owner = ownerOf(request.clientId) ?? `client ${request.clientId}`;
      if (entriesByCode.size >= limits.all && !evictFor(owner)) return 'all';
      const initialState = { claimedBy: undefined, intervalSeconds: POLL_SECONDS, polledAt: undefined };
      insert({ request, owner, isAddressLimited, ...initialState });
      return undefined;
    },

    find(userCode, now) {
      const entry = entriesByCode.get(userCode);
      return entry === undefined || hasExpired(entry, now) ? undefined : entry.request;
    },

    findFor(userId, userCode, now) {
      const entry = entriesByCode.get(userCode);
      if (entry === undefined || hasExpired(entry, now)) return undefined;
      return (entry.claimedBy ?? userId) === userId ? entry.request : undefined;
    },

    claim(request, userId) {
      const entry = findEntry(request);
      if (entry !== undefined) entry.claimedBy ??= userId;
      return entry?.claimedBy === userId;
    },

    poll(request, ticks) {
      const entry = findEntry(request);
      if (entry === undefined) return { pace: 'fine' };
      const { polledAt, intervalSeconds } = entry;
      entry.polledAt = ticks;
      const waitedMs = polledAt === undefined ? Infinity : ticks - polledAt;
      if (waitedMs + TOLERANCE_MS >= intervalSeconds * 1_000) return { pace: 'fine' };
      entry.intervalSeconds += POLL_SECONDS;
      return { pace: 'too-fast', intervalSeconds, seenSeconds: Math.max(0, Math.floor(waitedMs / 1_000)) };
    },

    remove(request) {
      const entry = findEntry(request);
      if (entry !== undefined) remove(entry);
    },

    size: () => entriesByCode.size,
  };
}

function hasExpired({ request }: Entry, now: number): boolean {
  return now >= deviceCodeExpiry(request);
}

/** Creates a map from keys to sets of members, oldest first. Keys without members are removed. */
function createGroups<Member>() {
  const groups = new Map<string, Set<Member>>();
  const noMembers: ReadonlySet<Member> = new Set();
  const membersOf = (key: string): ReadonlySet<Member> => groups.get(key) ?? noMembers;
  return {
    membersOf,
    keys: () => groups.keys(),
    /** Returns the key with the most members. */
    largest(keys: Iterable<string>): string {
      let largest = '';
      for (const key of keys) if (membersOf(key).size > membersOf(largest).size) largest = key;
      return largest;
    },
    add(key: string, member: Member): void {
      const group = groups.get(key) ?? new Set();
      groups.set(key, group.add(member));
    },
    delete(key: string, member: Member): void {
      const group = groups.get(key);
      group?.delete(member);
      if (group?.size === 0) groups.delete(key);
    },
  };
}
