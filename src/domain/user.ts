import { accept, nothing, refuse, type Decider, type Decision } from '../eventsourcing/decider.ts';
import type { EventOf, Role } from './events.ts';
import { unreachable, type UserId } from './values.ts';

/** The stream user-<keyed hash of the name>: the accounts that have had a name, one after another. */
export type UserEvent = EventOf<
  | 'UserRegistered'
  | 'UserProfileChanged'
  | 'PasswordChanged'
  | 'UserDisabled'
  | 'UserEnabled'
  | 'UserErased'
  | 'AllSessionsEnded'
>;

export type UserCommand =
  | { readonly type: 'RegisterUser'; readonly userId: UserId; readonly sealed: string; readonly roles: readonly Role[] }
  | { readonly type: 'ChangeProfile'; readonly userId: UserId; readonly sealed: string }
  | { readonly type: 'ChangePassword'; readonly userId: UserId; readonly sealed: string }
  | { readonly type: 'DisableUser'; readonly userId: UserId }
  | { readonly type: 'EnableUser'; readonly userId: UserId }
  | { readonly type: 'EraseUser'; readonly userId: UserId }
  | { readonly type: 'EndAllSessions'; readonly userId: UserId };

export type UserRefusal = 'username-taken' | 'user-unknown';

export type UserState =
  | { readonly status: 'absent' }
  | { readonly status: 'active' | 'disabled'; readonly userId: UserId };

export const user: Decider<UserCommand, UserState, UserEvent, UserRefusal> = {
  initial: { status: 'absent' },

  decide(command, state): Decision<UserEvent, UserRefusal> {
    if (command.type === 'RegisterUser') {
      if (state.status !== 'absent') return refuse('username-taken');
      const { userId, sealed, roles } = command;
      return accept<UserEvent>({ type: 'UserRegistered', data: { userId, sealed, roles } });
    }
    // The name may have passed to another account since the command's sender looked.
    if (state.status === 'absent' || state.userId !== command.userId) return refuse('user-unknown');
    const { status, userId } = state;
    switch (command.type) {
      case 'ChangeProfile': return accept<UserEvent>({ type: 'UserProfileChanged', data: { userId, sealed: command.sealed } });
      case 'ChangePassword': return accept<UserEvent>({ type: 'PasswordChanged', data: { userId, sealed: command.sealed } });
      case 'DisableUser': return status === 'disabled' ? nothing : accept<UserEvent>({ type: 'UserDisabled', data: { userId } });
      case 'EnableUser': return status === 'active' ? nothing : accept<UserEvent>({ type: 'UserEnabled', data: { userId } });
      case 'EraseUser': return accept<UserEvent>({ type: 'UserErased', data: { userId } });
      case 'EndAllSessions': return accept<UserEvent>({ type: 'AllSessionsEnded', data: { userId } });
      default: return unreachable(command);
    }
  },

  evolve(state, { type, data }) {
    switch (type) {
      case 'UserRegistered': case 'UserEnabled': return { status: 'active', userId: data.userId };
      case 'UserDisabled': return { status: 'disabled', userId: data.userId };
      case 'UserErased': return { status: 'absent' };
      case 'UserProfileChanged': case 'PasswordChanged': case 'AllSessionsEnded': return state;
      default: return unreachable(type);
    }
  },
};
