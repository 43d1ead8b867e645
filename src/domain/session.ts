import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import type { Authentication, EventOf, SessionEndReason } from './events.ts';
import type { LogoutFailure } from './logout-failures.ts';
import { unreachable, type ClientId, type EpochSeconds, type UserId } from './values.ts';

/**
 * The events of the stream session-<hash of the session's id>: one login to the pages, its end, and the clients that
 * were told of it.
 */
export type SessionEvent = EventOf<'SessionStarted' | 'SessionEnded' | 'LogoutDelivered' | 'LogoutDeliveryFailed'>;

export type SessionCommand =
  | {
      readonly type: 'StartSession';
      readonly userId: UserId;
      readonly authentication: Authentication;
      /** Which browser, encrypted with the user's key; undefined if that is not known. */
      readonly sealed: string | undefined;
      readonly now: EpochSeconds;
      readonly expiresAt: EpochSeconds;
      /** Whether the session's id was generated for it. Otherwise the command may be repeated with the same id. */
      readonly isNew: boolean;
    }
  | {
      readonly type: 'EndSession';
      readonly reason: SessionEndReason;
      /** The hash of the session that continues it, if the same user has logged in again in the same browser. */
      readonly continuedBy?: string;
    }
  /** Does nothing if the outcome of the delivery to the client is recorded already: nodes can overlap. */
  | ({ readonly type: 'RecordLogoutDelivery'; readonly failure: LogoutFailure | undefined } & LogoutDelivery);

/** A client that was told that the session has ended, or could not be told. */
type LogoutDelivery = EventOf<'LogoutDelivered'>['data'];

export type SessionState = (
  | { readonly status: 'absent' | 'ended' }
  | { readonly status: 'open'; readonly userId: UserId }
) & {
  /** The clients for which the outcome of the delivery is recorded. */
  readonly told?: readonly ClientId[];
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
      case 'EndSession': {
        if (state.status !== 'open') return noChange;
        const { reason, continuedBy } = command;
        const data = { userId: state.userId, reason, ...(continuedBy !== undefined && { continuedBy }) };
        return accept<SessionEvent>({ type: 'SessionEnded', data });
      }
      case 'RecordLogoutDelivery':
        return state.told?.includes(command.clientId) === true ? noChange : accept<SessionEvent>(outcomeOf(command));
      default:
        return unreachable(command);
    }
  },

  evolve(state, { type, data }) {
    switch (type) {
      case 'SessionStarted':
        return { status: 'open', userId: data.userId };
      case 'SessionEnded':
        return { ...(state.told && { told: state.told }), status: 'ended' };
      case 'LogoutDelivered':
      case 'LogoutDeliveryFailed':
        return { ...state, told: [...(state.told ?? []), data.clientId] };
      default:
        return unreachable(type);
    }
  },
};

function outcomeOf({
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
