import type { LogoutFailure } from '../../domain/logout-failures.ts';
import type { ClientId } from '../../domain/values.ts';
import type { PendingLogout } from '../../projections/logouts.ts';

/** The pending delivery of a logout token. */
export interface Delivery {
  readonly logout: PendingLogout;
  /** The number of failed attempts. */
  readonly attempts: number;
}

/**
 * Decides which logout token to deliver next, so that failing or hanging clients do not delay other clients. Clients
 * take turns. A client may have one delivery in progress until a delivery to it has succeeded, and several after that.
 * All clients whose last delivery failed may together have only a few deliveries in progress. Times are those of a
 * monotonic clock, in milliseconds.
 */
export interface DeliveryQueue {
  add(delivery: Delivery): void;
  /** Returns the next delivery that can begin now, or undefined if none can. */
  take(now: number): Delivery | undefined;
  succeed(delivery: Delivery): void;
  /** Ends a delivery whose last permitted attempt failed. */
  giveUp(delivery: Delivery, failure: LogoutFailure): void;
  /** Ends an attempt that failed, and schedules the next one. */
  fail(delivery: Delivery, failure: LogoutFailure, now: number): void;
  /** Retries a delivery later, because this server could not send the token. This does not count as an attempt. */
  postpone(delivery: Delivery, now: number): void;
  /** Returns why the last attempt to deliver to the client failed; undefined if it succeeded or was never made. */
  lastFailure(clientId: ClientId): LogoutFailure | undefined;
}

interface Lane {
  readonly ready: Delivery[];
  activeCount: number;
  /** Whether the client's last delivery succeeded. */
  isProven: boolean;
  lastFailure: LogoutFailure | undefined;
}

const MAX_ACTIVE = 64;
/** The share of `MAX_ACTIVE` for all clients whose last delivery failed. */
const MAX_ACTIVE_FOR_FAILING_CLIENTS = 8;
const MAX_ACTIVE_PER_PROVEN_CLIENT = 4;

/** The pauses between the attempts, about three quarters of an hour in total. */
const PAUSES_SECONDS = [5, 30, 120, 600, 1_800] as const;
export const MAX_ATTEMPTS = PAUSES_SECONDS.length + 1;

export function createDeliveryQueue(): DeliveryQueue {
  const lanes = new Map<ClientId, Lane>();
  /** The clients with ready deliveries, in the order of their turns. */
  const turns = new Set<ClientId>();
  /** The deliveries to retry, by pause. Each list is ordered by due time. */
  const retryQueues = PAUSES_SECONDS.map((): { readonly delivery: Delivery; readonly dueAt: number }[] => []);
  let activeCount = 0;
  let failingActiveCount = 0;

  function findOrCreateLane(clientId: ClientId): Lane {
    const existingLane = lanes.get(clientId);
    if (existingLane !== undefined) return existingLane;
    const lane: Lane = { ready: [], activeCount: 0, isProven: false, lastFailure: undefined };
    lanes.set(clientId, lane);
    return lane;
  }

  function add(delivery: Delivery): void {
    const { clientId } = delivery.logout;
    findOrCreateLane(clientId).ready.push(delivery);
    turns.add(clientId);
  }

  function addDueDeliveries(now: number): void {
    for (const queue of retryQueues) {
      let dueCount = 0;
      while (dueCount < queue.length && (queue[dueCount]?.dueAt ?? Infinity) <= now) dueCount += 1;
      for (const { delivery } of queue.splice(0, dueCount)) add(delivery);
    }
  }

  function mayBegin({ activeCount: activeInLane, isProven, lastFailure }: Lane): boolean {
    if (lastFailure !== undefined) return activeInLane === 0 && failingActiveCount < MAX_ACTIVE_FOR_FAILING_CLIENTS;
    return activeInLane < (isProven ? MAX_ACTIVE_PER_PROVEN_CLIENT : 1);
  }

  function begin(clientId: ClientId, lane: Lane): Delivery | undefined {
    const delivery = lane.ready.shift();
    turns.delete(clientId);
    if (lane.ready.length > 0) turns.add(clientId); // moves the client behind the others
    if (delivery === undefined) return undefined;
    activeCount += 1;
    if (lane.lastFailure !== undefined) failingActiveCount += 1;
    lane.activeCount += 1;
    return delivery;
  }

  function finish({ logout: { clientId } }: Delivery, change: Partial<Pick<Lane, 'isProven' | 'lastFailure'>>): void {
    const lane = findOrCreateLane(clientId);
    const wasFailing = lane.lastFailure !== undefined;
    activeCount -= 1;
    lane.activeCount -= 1;
    Object.assign(lane, change);
    const isFailing = lane.lastFailure !== undefined;
    // The client's other deliveries in progress move to or from the share of failing clients.
    if (wasFailing) failingActiveCount -= 1 + (isFailing ? 0 : lane.activeCount);
    else if (isFailing) failingActiveCount += lane.activeCount;
  }

  function scheduleRetry(delivery: Delivery, pauseIndex: number, now: number): void {
    const index = Math.min(pauseIndex, PAUSES_SECONDS.length - 1);
    retryQueues[index]?.push({ delivery, dueAt: now + (PAUSES_SECONDS[index] ?? 0) * 1000 });
  }

  return {
    add,
    take(now) {
      addDueDeliveries(now);
      if (activeCount >= MAX_ACTIVE) return undefined;
      for (const clientId of turns) {
        const lane = findOrCreateLane(clientId);
        if (mayBegin(lane)) return begin(clientId, lane);
      }
      return undefined;
    },
    succeed: (delivery) => finish(delivery, { isProven: true, lastFailure: undefined }),
    giveUp: (delivery, lastFailure) => finish(delivery, { isProven: false, lastFailure }),
    fail(delivery, lastFailure, now) {
      finish(delivery, { isProven: false, lastFailure });
      const attempts = delivery.attempts + 1;
      scheduleRetry({ ...delivery, attempts }, attempts - 1, now);
    },
    postpone(delivery, now) {
      finish(delivery, {});
      scheduleRetry(delivery, 0, now);
    },
    lastFailure: (clientId) => lanes.get(clientId)?.lastFailure,
  };
}
