import { setTimeout as delay } from 'node:timers/promises';
import type { Position } from './event-log.ts';
import { LogUnreachable } from './log-unreachable.ts';
import type { SharedLog } from './shared-log.ts';

/**
 * How current this node's projections are, on a log that other nodes also append to. Before a response grants access,
 * call `assertCurrent`. Before a response refuses a request because this node does not recognize a credential, catch
 * up.
 */
export interface Freshness {
  /**
   * Checks that this node may respond.
   * @throws LogUnreachable if this node must not respond: see `problem`
   */
  assertCurrent(): void;
  /**
   * Returns the reason why this node must not respond, or undefined if it may. Either it has been without contact with
   * the log for too long, or the log contains an event that this release does not recognize.
   */
  problem(): string | undefined;
  /**
   * Returns how long this node has been out of touch with the log, in seconds, or undefined if that is not the problem.
   */
  secondsOutOfTouch(): number | undefined;
  /**
   * Resolves when the projections have every event that was durable when this was called. Only for requests that prove
   * their origin, because forged credentials must not cause a catch-up.
   * @throws LogUnreachable as `assertCurrent` does, or if the storage did not respond in time
   */
  catchUp(): Promise<void>;
  /**
   * Like `catchUp`, for any request. At most 100 catch-ups start per second; requests that arrive before the next one
   * starts share it.
   */
  catchUpThrottled(): Promise<void>;
  /** Returns the position that the projections have reached. */
  position(): Position;
  /** Returns the time since this node last knew that it had every durable event, in milliseconds. */
  staleness(): number;
  /** Returns the number of catch-ups since startup, by result. Several catch-ups may have shared one query. */
  catchUps(): Readonly<Record<'reached' | 'failed', number>>;
}

export interface FreshnessDeps {
  readonly shared: SharedLog;
  readonly position: () => Position;
  /** Returns the time of the monotonic clock that the log was opened with, in milliseconds. */
  readonly ticks: () => number;
  readonly maxStalenessSeconds: number;
  /** Returns the reason why the projections cannot follow the log any further, or undefined if they can. */
  readonly laterEvent: () => string | undefined;
  /** Receives a line when this node loses contact with the log, and when it has caught up. */
  readonly notice: (line: string) => void;
}

/** The minimum interval between throttled catch-ups: at most 100 start per second. */
const MIN_MILLISECONDS_BETWEEN_THROTTLED = 10;

export function createFreshness(deps: FreshnessDeps): Freshness {
  const { shared, position, ticks, maxStalenessSeconds, laterEvent, notice } = deps;
  const counts = { reached: 0, failed: 0 };
  let isOutOfTouch = false;
  let lastThrottledAt = -Infinity;
  let pendingCatchUp: Promise<void> | undefined;

  const staleness = (): number => Math.max(0, ticks() - shared.lastCurrentAt());

  function secondsOutOfTouch(): number | undefined {
    const seconds = staleness() / 1000;
    return laterEvent() !== undefined || seconds <= maxStalenessSeconds ? undefined : Math.floor(seconds);
  }

  function problem(): string | undefined {
    const laterEventProblem = laterEvent();
    if (laterEventProblem !== undefined) return laterEventProblem;
    const seconds = secondsOutOfTouch();
    const reason =
      seconds === undefined ? undefined : `this node has had no contact with the event log for ${seconds} seconds`;
    report(reason);
    return reason;
  }

  /** Reports each loss of contact only once, although every request checks it. */
  function report(reason: string | undefined): void {
    if ((reason !== undefined) === isOutOfTouch) return;
    isOutOfTouch = reason !== undefined;
    notice(reason === undefined ? 'this node has caught up and responds again' : `${reason}; it responds with 503`);
  }

  function assertCurrent(): void {
    const reason = problem();
    if (reason !== undefined) throw new LogUnreachable(reason);
  }

  async function catchUp(): Promise<void> {
    try {
      await shared.catchUp();
    } catch (error) {
      counts.failed += 1;
      throw error;
    }
    counts.reached += 1;
    assertCurrent();
  }

  async function catchUpLater(): Promise<void> {
    const wait = lastThrottledAt + MIN_MILLISECONDS_BETWEEN_THROTTLED - ticks();
    await (wait > 0 ? delay(wait) : undefined);
    pendingCatchUp = undefined; // later callers need a new catch-up
    lastThrottledAt = ticks();
    return catchUp();
  }

  return {
    assertCurrent,
    problem,
    secondsOutOfTouch,
    catchUp,
    catchUpThrottled: () => (pendingCatchUp ??= catchUpLater()),
    position,
    staleness,
    catchUps: () => counts,
  };
}
