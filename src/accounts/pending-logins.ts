import { isIssueTimeValid } from '../domain/clock.ts';
import type { FirstFactor } from '../domain/login.ts';
import type { UserId } from '../domain/values.ts';
import type { Position } from '../event-store/event-log.ts';
import type { RotatingKey } from '../platform/keys/rotating-key.ts';
import { seal, unseal } from '../platform/keys/seals.ts';
import type { Entropy } from '../platform/ports.ts';

/**
 * A login whose first step, such as the password, is complete, but whose second step is not. No session has begun yet.
 */
export type PendingLogin = FirstFactor & {
  readonly userId: UserId;
  /** The log's head position when the first factor was checked. */
  readonly checkedAsOf: Position;
  /** When the first step was completed, in seconds since the epoch. */
  readonly at: number;
};

/**
 * Tickets that a browser stores between the two steps of a login. They are encrypted, bound to the browser's session,
 * and valid for a short time. The server stores nothing, so any node with the same keys can continue.
 */
export interface PendingLogins {
  /**
   * Returns the ticket.
   * @param binding a value that is unique to the browser's session
   */
  seal(pending: PendingLogin, binding: string): string;
  /**
   * Returns the login, or undefined if the ticket has been changed, belongs to a different session, or has expired.
   * @param now in seconds since the epoch
   */
  open(ticket: string, binding: string, now: number): PendingLogin | undefined;
}

/** Long enough for setting up an authenticator app. The pages have a lower limit for entering a code. */
const LIFETIME_SECONDS = 1_800;

export function createPendingLogins(key: RotatingKey, entropy: Entropy): PendingLogins {
  return {
    seal: (pending, binding) => seal(JSON.stringify(pending), key.current().export(), contextOf(binding), entropy),

    open(ticket, binding, now) {
      for (const secret of key.accepted()) {
        const pending = tryUnseal(ticket, secret.export(), contextOf(binding));
        if (pending === undefined) continue;
        const isLive = now < pending.at + LIFETIME_SECONDS && isIssueTimeValid(pending.at, now);
        return isLive ? pending : undefined;
      }
      return undefined;
    },
  };
}

const contextOf = (binding: string): string => JSON.stringify(['pending login', binding]);

function tryUnseal(ticket: string, key: Buffer, context: string): PendingLogin | undefined {
  try {
    return JSON.parse(unseal(ticket, key, context)) as PendingLogin;
  } catch {
    return undefined; // tampered with, or encrypted under a different key or for a different session
  }
}
