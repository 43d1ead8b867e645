import { createLaneRanks } from './lane-ranks.ts';

/** A waiting job. */
export interface Waiter {
  readonly lane: string;
  readonly account: string;
  /** The time, in ticks, at which the job is refused if it is still waiting. */
  readonly deadline: number;
}

/** The waiters of one class. Scheduling is round-robin between lanes, and between the accounts in a lane. */
export interface WaitingLine<W extends Waiter> {
  size(): number;
  /**
   * Adds `waiter`. If that exceeds `capacity`, refuses the newest waiter for the account with the most waiters in the
   * longest lane. If the account of `waiter` has waiters in too many lanes, refuses its newest waiter in the lane where
   * it has the most. In a tie, the lane or account that would be served last is chosen. Removes and returns the refused
   * waiter, which may be `waiter` itself.
   */
  add(waiter: W, capacity: number, now: number): LineRefusal<W> | undefined;
  /** Removes and returns the next waiter. */
  take(now: number): W | undefined;
  /** Removes and returns the waiters whose deadline has passed. */
  takeExpired(now: number): readonly W[];
}

export interface LineRefusal<W extends Waiter> {
  readonly waiter: W;
  readonly reason: 'line-full' | 'account-in-many-lanes';
}

/** Limits the share of hashes that a flood of requests from many addresses for one account can get. */
const MAX_LANES_PER_ACCOUNT = 10;

interface Lane<W> {
  readonly key: string;
  rank: number;
  size: number;
  /** The waiters by account, in the order in which the accounts are served; no list is empty. */
  readonly accounts: Map<string, W[]>;
}

export function createWaitingLine<W extends Waiter>(): WaitingLine<W> {
  const ranks = createLaneRanks();
  /** Lanes with waiters. Lanes of the same rank are served in the order of this map. */
  const lanes = new Map<string, Lane<W>>();
  const laneCounts = new Map<string, number>();
  let size = 0;

  function countLane(account: string, change: 1 | -1): void {
    const count = (laneCounts.get(account) ?? 0) + change;
    if (count === 0) laneCounts.delete(account);
    else laneCounts.set(account, count);
  }

  function insert(waiter: W, now: number): void {
    const { lane: key, account } = waiter;
    const lane = lanes.get(key) ?? { key, rank: ranks.rankOf(key, now), size: 0, accounts: new Map<string, W[]>() };
    const waiters = lane.accounts.get(account);
    if (waiters === undefined) {
      lane.accounts.set(account, [waiter]);
      countLane(account, 1);
    } else waiters.push(waiter);
    lane.size += 1;
    lanes.set(key, lane);
    size += 1;
  }

  function remove(lane: Lane<W>, waiter: W): void {
    const waiters = lane.accounts.get(waiter.account) ?? [];
    waiters.splice(waiters.indexOf(waiter), 1);
    if (waiters.length === 0) {
      lane.accounts.delete(waiter.account);
      countLane(waiter.account, -1);
    }
    lane.size -= 1;
    if (lane.size === 0) lanes.delete(lane.key);
    size -= 1;
  }

  function refuse(lane: Lane<W>, waiter: W, now: number): W {
    remove(lane, waiter);
    if (lane.size === 0) ranks.onRefused(lane.key, lane.rank, now);
    return waiter;
  }

  /**
   * Finds the lane with the most waiters according to `waiterCount`; if there are several, the one to be served last.
   */
  function longestLane(waiterCount: (lane: Lane<W>) => number): Lane<W> | undefined {
    let longest: Lane<W> | undefined;
    for (const lane of lanes.values()) {
      const difference = waiterCount(lane) - (longest === undefined ? 0 : waiterCount(longest));
      const isServedLater = longest !== undefined && lane.rank >= longest.rank;
      if (difference > 0 || (difference === 0 && isServedLater)) longest = lane;
    }
    return longest;
  }

  function refuseNewest(
    lane: Lane<W> | undefined,
    account: string | undefined,
    reason: LineRefusal<W>['reason'],
    now: number,
  ): LineRefusal<W> | undefined {
    const newestWaiter = lane?.accounts.get(account ?? '')?.at(-1);
    return lane === undefined || newestWaiter === undefined
      ? undefined
      : { waiter: refuse(lane, newestWaiter, now), reason };
  }

  return {
    size: () => size,

    add(waiter, capacity, now) {
      const { account } = waiter;
      insert(waiter, now);
      if ((laneCounts.get(account) ?? 0) > MAX_LANES_PER_ACCOUNT) {
        const lane = longestLane(({ accounts }) => accounts.get(account)?.length ?? 0);
        return refuseNewest(lane, account, 'account-in-many-lanes', now);
      }
      if (size <= capacity) return undefined;
      const lane = longestLane(({ size: waiterCount }) => waiterCount);
      return refuseNewest(lane, lane && largestAccount(lane), 'line-full', now);
    },

    take(now) {
      let next: Lane<W> | undefined;
      for (const lane of lanes.values()) if (next === undefined || lane.rank < next.rank) next = lane;
      const [first] = next?.accounts.values() ?? [];
      const waiter = first?.[0];
      if (next === undefined || waiter === undefined) return undefined;
      remove(next, waiter);
      next.rank = now;
      if (next.size === 0) ranks.onServed(next.key, now);
      moveToEnd(next.accounts, waiter.account);
      moveToEnd(lanes, next.key);
      return waiter;
    },

    takeExpired(now) {
      return [...lanes.values()].flatMap((lane) => {
        const expiredWaiters = [...lane.accounts.values()].flat().filter(({ deadline }) => deadline <= now);
        return expiredWaiters.map((waiter) => refuse(lane, waiter, now));
      });
    },
  };
}

/** Finds the account with the most waiters; if there are several, the one to be served last. */
function largestAccount<W>({ accounts }: Lane<W>): string {
  let [largest, maxCount] = ['', 0];
  for (const [account, { length }] of accounts) if (length >= maxCount) [largest, maxCount] = [account, length];
  return largest;
}

/** Moves a key to the end of the map, if the map contains it. */
function moveToEnd<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
