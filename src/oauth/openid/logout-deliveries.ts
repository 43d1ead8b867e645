import type { LogoutFailure } from '../../domain/logout-failures.ts';
import type { SessionCommand, SessionEvent, SessionState } from '../../domain/session.ts';
import { sessionStream } from '../../domain/streams.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { CommandHandler } from '../../event-store/command-handler.ts';
import { EgressError, isLocalLimit } from '../../platform/egress/egress-failed.ts';
import type { Egress } from '../../platform/egress/egress.ts';
import type { Clock, StartTimer } from '../../platform/ports.ts';
import type { Clients } from '../../projections/clients.ts';
import type { Logouts, PendingLogout } from '../../projections/logouts.ts';
import { createDeliveryQueue, MAX_ATTEMPTS, type Delivery, type DeliveryQueue } from './delivery-queue.ts';
import type { SignLogoutToken } from './logout-token.ts';

/**
 * Delivers logout tokens to clients (OpenID Connect Back-Channel Logout). The pending tokens are derived from the log,
 * so another node can continue after a crash. The outcome of a delivery is recorded as an event; its attempts are not.
 */
export interface LogoutDeliveries {
  /** Starts the deliveries, which take place only while this node is the leader. */
  start(): void;
  /** Looks for new tokens. Call this after applying events to the projections; it is cheap if no session has ended. */
  wake(): void;
  /** Begins no more deliveries, and resolves when the current ones have ended. To abort them, close `egress` first. */
  close(): Promise<void>;
}

export interface LogoutDeliveryDeps {
  readonly logouts: Logouts;
  readonly clients: Pick<Clients, 'find'>;
  readonly commands: Pick<CommandHandler<SessionCommand, SessionState, SessionEvent, 'session-exists'>, 'execute'>;
  readonly sign: SignLogoutToken;
  readonly egress: Pick<Egress, 'postForm'>;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly isLeader: () => boolean;
}

/** A new leader begins its deliveries within this time. */
const CHECK_INTERVAL_MILLISECONDS = 1_000;

/** If more tokens are pending, only the timer looks for new ones, because each search visits all pending tokens. */
const MAX_PENDING_FOR_WAKE = 1_000;

/** The delivery of an older logout token is given up if the latest delivery attempt to its client failed. */
const MAX_AGE_SECONDS = 3_600;

const BY_SERVER = { actor: { kind: 'server' }, requestId: null } as const;

export function createLogoutDeliveries(deps: LogoutDeliveryDeps): LogoutDeliveries {
  const { logouts, clients, commands, sign, egress, clock, startTimer, isLeader } = deps;
  const inProgress = new Set<Promise<void>>();
  /** Undefined while this node is not the leader. */
  let queue: DeliveryQueue | undefined;
  let queuedKeys = new Set<string>();
  let lastTokenCount = 0;
  let isRunning = false;
  let stopTimer: (() => void) | undefined;

  const now = (): EpochSeconds => Math.floor(clock.now() / 1000) as EpochSeconds;

  function totalTokenCount(): number {
    const { pending, delivered, failed } = logouts.counts();
    return pending + delivered + failed;
  }

  function enqueueNewTokens(deliveryQueue: DeliveryQueue): void {
    const tokenCount = totalTokenCount();
    if (tokenCount === lastTokenCount) return;
    lastTokenCount = tokenCount;
    for (const logout of logouts.pending()) {
      if (queuedKeys.has(logoutKey(logout))) continue;
      queuedKeys.add(logoutKey(logout));
      deliveryQueue.add({ logout, attempts: 0 });
    }
  }

  function queueIfLeader(): DeliveryQueue | undefined {
    if (!isLeader()) queue = undefined;
    else if (queue === undefined) {
      queue = createDeliveryQueue();
      queuedKeys = new Set();
      lastTokenCount = 0;
    }
    return queue;
  }

  function pump(): void {
    const currentQueue = queueIfLeader();
    if (!isRunning || currentQueue === undefined) return;
    enqueueNewTokens(currentQueue);
    for (let next = currentQueue.take(clock.ticks()); next !== undefined; next = currentQueue.take(clock.ticks())) {
      const delivery = next;
      const deliveryPromise = deliver(delivery, currentQueue).finally(() => {
        inProgress.delete(deliveryPromise);
        pump();
      });
      inProgress.add(deliveryPromise);
    }
  }

  /** Sends a token and records the outcome. Never rejects. */
  async function deliver(delivery: Delivery, deliveryQueue: DeliveryQueue): Promise<void> {
    const { logout } = delivery;
    try {
      // Another node has already handled the token.
      if (!logouts.isPending(logout)) return finishDelivery(deliveryQueue, delivery, undefined);
      const earlierFailure = lastFailureIfOld(delivery, deliveryQueue);
      const attempts = delivery.attempts + (earlierFailure === undefined ? 1 : 0);
      const failure = earlierFailure ?? (await attempt(logout));
      if (failure !== undefined && !isLastAttempt(logout, attempts, failure))
        return deliveryQueue.fail(delivery, failure, clock.ticks());
      await recordOutcome(logout, attempts, failure);
      finishDelivery(deliveryQueue, delivery, failure);
    } catch {
      // This server is busy or stopping, or cannot write to its log. The token is delivered later.
      deliveryQueue.postpone(delivery, clock.ticks());
    }
  }

  /**
   * Returns why the latest delivery attempt to the client failed, or undefined if it did not fail or the token is not
   * old. While deliveries to a client fail, its old tokens are given up without another attempt.
   */
  function lastFailureIfOld({ logout }: Delivery, deliveryQueue: DeliveryQueue): LogoutFailure | undefined {
    return isOld(logout) ? deliveryQueue.lastFailure(logout.clientId) : undefined;
  }

  function isOld({ endedAt }: PendingLogout): boolean {
    return now() - endedAt > MAX_AGE_SECONDS;
  }

  function isLastAttempt(logout: PendingLogout, attempts: number, { reason }: LogoutFailure): boolean {
    return reason === 'withdrawn' || attempts >= MAX_ATTEMPTS || isOld(logout);
  }

  /**
   * Returns why the delivery failed, or undefined if the client accepted the token.
   * @throws Error if this server could not send the token
   */
  async function attempt(logout: PendingLogout): Promise<LogoutFailure | undefined> {
    const client = clients.find(logout.clientId);
    const uri = client?.openid.backchannelLogoutUri ?? null;
    if (client === undefined || uri === null) return { reason: 'withdrawn' };
    const token = await sign(logout, client, now());
    try {
      await egress.postForm('logout-token', uri, { logout_token: token });
      return undefined;
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      const { outcome: reason, status } = error;
      if (isLocalLimit(reason)) throw error;
      return status === undefined ? { reason } : { reason, status };
    }
  }

  async function recordOutcome(
    logout: PendingLogout,
    attempts: number,
    failure: LogoutFailure | undefined,
  ): Promise<void> {
    const { clientId, userId, sessionHash } = logout;
    const command = { type: 'RecordLogoutDelivery', clientId, userId, attempts, failure } as const;
    await commands.execute(sessionStream(sessionHash), command, BY_SERVER);
  }

  function finishDelivery(deliveryQueue: DeliveryQueue, delivery: Delivery, failure: LogoutFailure | undefined): void {
    queuedKeys.delete(logoutKey(delivery.logout));
    if (failure === undefined) deliveryQueue.succeed(delivery);
    else deliveryQueue.giveUp(delivery, failure);
  }

  function check(): void {
    pump();
    stopTimer = startTimer(CHECK_INTERVAL_MILLISECONDS, check);
  }

  return {
    start() {
      isRunning = true;
      check();
    },
    wake() {
      if (!isRunning || totalTokenCount() === lastTokenCount) return;
      if (logouts.counts().pending <= MAX_PENDING_FOR_WAKE) pump();
    },
    async close() {
      isRunning = false;
      stopTimer?.();
      await Promise.all(inProgress);
    },
  };
}

function logoutKey({ sessionHash, clientId }: PendingLogout): string {
  return `${sessionHash} ${clientId}`;
}
