import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import type { Authentication, EventOf, SessionEndReason } from './events.ts';
import { unreachable, type EpochSeconds, type UserId } from './values.ts';

/** The events of the stream session-<hash of the session's id>: one login to the pages, and its end. */
export type SessionEvent = EventOf<'SessionStarted' | 'SessionEnded'>;

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
    };

export type SessionState =
  | { readonly status: 'absent' | 'ended' }
  | { readonly status: 'open'; readonly userId: UserId };

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
      default:
        return unreachable(command);
    }
  },

  evolve(_state, { type, data }) {
    switch (type) {
      case 'SessionStarted':
        return { status: 'open', userId: data.userId };
      case 'SessionEnded':
        return { status: 'ended' };
      default:
        return unreachable(type);
    }
  },
};
