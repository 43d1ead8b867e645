import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import type { Authentication, EventOf, SessionEndReason } from './events.ts';
import type { LogoutFailure } from './logout-failures.ts';
import { unreachable, type ClientId, type EpochSeconds, type UserId } from './values.ts';

/**
 * The events of the stream session-<hash of the session's id>: one login to the pages, the days when it was used, its
 * end, and the delivery of logout tokens to clients.
 */
export type SessionEvent = EventOf<
  'SessionStarted' | 'SessionUsed' | 'SessionEnded' | 'LogoutDelivered' | 'LogoutDeliveryFailed'
>;

export type SessionCommand =
  | {
      readonly type: 'StartSession';
      readonly userId: UserId;
      readonly authentication: Authentication;
      /** The browser, encrypted under the user's key; undefined if it is unknown. */
      readonly sealed: string | undefined;
      readonly now: EpochSeconds;
      readonly expiresAt: EpochSeconds;
      /** Whether the session's id was just generated. Otherwise, the command may be repeated with the same id. */
      readonly isNew: boolean;
    }
  /** Does nothing if a use on the same day or later is already recorded, because several nodes may notice the use. */
  | { readonly type: 'UseSession'; readonly now: EpochSeconds }
  | {
      readonly type: 'EndSession';
      readonly reason: SessionEndReason;
      /** The hash of the session that continues it after the same user has logged in again in the same browser. */
      readonly continuedBy?: string;
    }
  /** Does nothing if the outcome for the client is already recorded, because several nodes may send the token. */
  | ({ readonly type: 'RecordLogoutDelivery'; readonly failure: LogoutFailure | undefined } & LogoutDelivery);

/** The delivery of a logout token to a client. */
type LogoutDelivery = EventOf<'LogoutDelivered'>['data'];

export type SessionState = (
  | { readonly status: 'absent' | 'ended' }
  | {
      readonly status: 'open';
      readonly userId: UserId;
      /** The latest recorded use, or the start; undefined if an earlier release started the session. */
      readonly lastUsedAt: EpochSeconds | undefined;
    }
) & {
  /** The clients whose delivery outcome is recorded. */
  readonly notifiedClients?: readonly ClientId[];
};

export const session: Decider<SessionCommand, SessionState, SessionEvent, 'session-exists'> = {
  initial: { status: 'absent' },
  initialRevision(command) {
    if (command.type !== 'StartSession') return undefined;
    return command.isNew ? 'new-stream' : 'no-stream';
  },
  decidedAt: (command) => (command.type === 'StartSession' ? command.now : undefined),

  decide(command, state): Decision<SessionEvent, 'session-exists'> {
    switch (command.type) {
      case 'StartSession': {
        if (state.status !== 'absent') return refuse('session-exists');
        const { userId, expiresAt, authentication, sealed } = command;
        const data = { userId, expiresAt, authentication, ...(sealed !== undefined && { sealed }) };
        return accept<SessionEvent>({ type: 'SessionStarted', data });
      }
      case 'UseSession': {
        if (state.status !== 'open' || !isOnLaterDay(command.now, state.lastUsedAt)) return noChange;
        return accept<SessionEvent>({ type: 'SessionUsed', data: { userId: state.userId, usedAt: command.now } });
      }
      case 'EndSession': {
        if (state.status !== 'open') return noChange;
        const { reason, continuedBy } = command;
        const data = { userId: state.userId, reason, ...(continuedBy !== undefined && { continuedBy }) };
        return accept<SessionEvent>({ type: 'SessionEnded', data });
      }
      case 'RecordLogoutDelivery':
        return state.notifiedClients?.includes(command.clientId) === true
          ? noChange
          : accept<SessionEvent>(deliveryEvent(command));
      default:
        return unreachable(command);
    }
  },

  evolve(state, { type, data }) {
    switch (type) {
      case 'SessionStarted':
        return { status: 'open', userId: data.userId, lastUsedAt: data.authentication?.authenticatedAt };
      case 'SessionUsed':
        return { status: 'open', userId: data.userId, lastUsedAt: data.usedAt };
      case 'SessionEnded':
        return { ...(state.notifiedClients && { notifiedClients: state.notifiedClients }), status: 'ended' };
      case 'LogoutDelivered':
      case 'LogoutDeliveryFailed':
        return { ...state, notifiedClients: [...(state.notifiedClients ?? []), data.clientId] };
      default:
        return unreachable(type);
    }
  },
};

const DAY_SECONDS = 86_400;

/** Reports whether `now` is on a later day (UTC) than `previous`; true if `previous` is undefined. */
export function isOnLaterDay(now: EpochSeconds, previous: EpochSeconds | undefined): boolean {
  return previous === undefined || Math.floor(now / DAY_SECONDS) > Math.floor(previous / DAY_SECONDS);
}

function deliveryEvent({
  clientId,
  userId,
  attempts,
  failure,
}: Extract<SessionCommand, { readonly type: 'RecordLogoutDelivery' }>): SessionEvent {
  const delivery = { clientId, userId, attempts };
  if (failure === undefined) return { type: 'LogoutDelivered', data: delivery };
  const { reason, status } = failure;
  const data = { ...delivery, reason, ...(status !== undefined && { status }) };
  return { type: 'LogoutDeliveryFailed', data };
}
