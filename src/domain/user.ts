import { accept, noChange, refuse, type Decider, type Decision } from '../event-store/decider.ts';
import type { EventOf, Role } from './events.ts';
import {
  decideSecondFactor,
  evolveSecondFactors,
  NO_SECOND_FACTORS,
  type SecondFactorCommand,
  type SecondFactorEvent,
  type SecondFactorRefusal,
  type SecondFactorState,
} from './second-factors.ts';
import { unreachable, type GroupId, type PasskeyId, type UserId } from './values.ts';

/** The events of the stream user-<keyed hash of the name>, shared by all accounts that have ever had the name. */
export type UserEvent =
  | SecondFactorEvent
  | EventOf<
      | 'UserRegistered'
      | 'UserProfileChanged'
      | 'PasswordChanged'
      | 'PasswordRehashed'
      | 'UserDisabled'
      | 'UserEnabled'
      | 'UserErased'
      | 'AllSessionsEnded'
      | 'UserRolesChanged'
      | 'EmailVerified'
      | 'PasskeyAdded'
      | 'PasskeyRemoved'
      | 'GroupMemberAdded'
      | 'GroupMemberRemoved'
    >;

export type UserCommand =
  | {
      readonly type: 'RegisterUser';
      readonly userId: UserId;
      readonly sealed: string;
      readonly roles: readonly Role[];
      readonly active: boolean;
    }
  | { readonly type: 'ChangeProfile'; readonly userId: UserId; readonly sealed: string }
  | { readonly type: 'VerifyEmail'; readonly userId: UserId; readonly sealed: string }
  | { readonly type: 'ChangePassword'; readonly userId: UserId; readonly sealed: string }
  /** Does nothing once the password or its hash has changed since registration. */
  | { readonly type: 'RehashPassword'; readonly userId: UserId; readonly sealed: string }
  | { readonly type: 'DisableUser'; readonly userId: UserId }
  | { readonly type: 'EnableUser'; readonly userId: UserId }
  | { readonly type: 'EraseUser'; readonly userId: UserId }
  | { readonly type: 'EndAllSessions'; readonly userId: UserId }
  | { readonly type: 'ChangeRoles'; readonly userId: UserId; readonly roles: readonly Role[] }
  /** Adds and removes memberships in one append. Skips those that would not change. */
  | {
      readonly type: 'ChangeGroups';
      readonly userId: UserId;
      readonly add: readonly GroupId[];
      readonly remove: readonly GroupId[];
    }
  | { readonly type: 'AddPasskey'; readonly userId: UserId; readonly passkeyId: PasskeyId; readonly sealed: string }
  | { readonly type: 'RemovePasskey'; readonly userId: UserId; readonly passkeyId: PasskeyId }
  | SecondFactorCommand;

export type UserRefusal =
  | 'username-taken'
  | 'user-unknown'
  | 'too-many-passkeys'
  | 'passkey-exists'
  | SecondFactorRefusal;

/** The maximum number of passkeys per account. More would probably be a mistake, and the log keeps them forever. */
const MAX_PASSKEYS = 20;

export type UserState =
  | { readonly status: 'absent' }
  | (SecondFactorState & {
      readonly status: 'active' | 'disabled';
      readonly userId: UserId;
      readonly roles: readonly Role[];
      /** Including groups that have since been removed. */
      readonly groups: readonly GroupId[];
      readonly passkeys: readonly PasskeyId[];
      readonly removedPasskeys: readonly PasskeyId[];
      readonly hasOriginalHash: boolean;
    });

export const user: Decider<UserCommand, UserState, UserEvent, UserRefusal> = {
  initial: { status: 'absent' },

  decide(command, state): Decision<UserEvent, UserRefusal> {
    if (command.type === 'RegisterUser') {
      if (state.status !== 'absent') return refuse('username-taken');
      const { userId, sealed, roles, active } = command;
      const registration = { type: 'UserRegistered', data: { userId, sealed, roles } } as const;
      return active
        ? accept<UserEvent>(registration)
        : accept<UserEvent>(registration, { type: 'UserDisabled', data: { userId } });
    }
    // Another account may have taken the name since the sender of the command read it.
    if (state.status === 'absent' || state.userId !== command.userId) return refuse('user-unknown');
    const { status, userId, roles, passkeys, removedPasskeys, hasOriginalHash } = state;
    switch (command.type) {
      case 'ChangeProfile':
        return accept<UserEvent>({ type: 'UserProfileChanged', data: { userId, sealed: command.sealed } });
      case 'VerifyEmail':
        return accept<UserEvent>({ type: 'EmailVerified', data: { userId, sealed: command.sealed } });
      case 'ChangePassword':
        return accept<UserEvent>({ type: 'PasswordChanged', data: { userId, sealed: command.sealed } });
      case 'RehashPassword':
        return hasOriginalHash
          ? accept<UserEvent>({ type: 'PasswordRehashed', data: { userId, sealed: command.sealed } })
          : noChange;
      case 'DisableUser':
        return status === 'disabled' ? noChange : accept<UserEvent>({ type: 'UserDisabled', data: { userId } });
      case 'EnableUser':
        return status === 'active' ? noChange : accept<UserEvent>({ type: 'UserEnabled', data: { userId } });
      case 'EraseUser':
        return accept<UserEvent>({ type: 'UserErased', data: { userId } });
      case 'EndAllSessions':
        return accept<UserEvent>({ type: 'AllSessionsEnded', data: { userId } });
      case 'ChangeRoles':
        return areSameRoles(roles, command.roles)
          ? noChange
          : accept<UserEvent>({ type: 'UserRolesChanged', data: { userId, roles: command.roles } });
      case 'ChangeGroups':
        return changeGroups(userId, state.groups, command);
      case 'AddPasskey': {
        // The id is derived from the registration's challenge, so the same response was sent again.
        if ([...passkeys, ...removedPasskeys].includes(command.passkeyId)) return refuse('passkey-exists');
        if (passkeys.length >= MAX_PASSKEYS) return refuse('too-many-passkeys');
        return accept<UserEvent>({
          type: 'PasskeyAdded',
          data: { userId, passkeyId: command.passkeyId, sealed: command.sealed },
        });
      }
      case 'RemovePasskey':
        return passkeys.includes(command.passkeyId)
          ? accept<UserEvent>({ type: 'PasskeyRemoved', data: { userId, passkeyId: command.passkeyId } })
          : noChange;
      case 'AddTotp':
      case 'RemoveTotp':
      case 'GenerateRecoveryCodes':
      case 'UseRecoveryCode':
      case 'RemoveSecondFactors':
        return decideSecondFactor(command, state);
      default:
        return unreachable(command);
    }
  },

  evolve(state, event) {
    const { type, data } = event;
    switch (type) {
      case 'UserRegistered':
        return {
          status: 'active',
          userId: data.userId,
          roles: data.roles,
          groups: [],
          passkeys: [],
          removedPasskeys: [],
          hasOriginalHash: true,
          ...NO_SECOND_FACTORS,
        };
      case 'UserErased':
        return { status: 'absent' };
      case 'UserEnabled':
        return state.status === 'absent' ? state : { ...state, status: 'active' };
      case 'UserDisabled':
        return state.status === 'absent' ? state : { ...state, status: 'disabled' };
      case 'UserRolesChanged':
        return state.status === 'absent' ? state : { ...state, roles: data.roles };
      case 'GroupMemberAdded':
        return state.status === 'absent' ? state : { ...state, groups: [...state.groups, data.groupId] };
      case 'GroupMemberRemoved':
        return state.status === 'absent'
          ? state
          : { ...state, groups: state.groups.filter((groupId) => groupId !== data.groupId) };
      case 'PasskeyAdded':
        return state.status === 'absent' ? state : { ...state, passkeys: [...state.passkeys, data.passkeyId] };
      case 'PasskeyRemoved':
        return state.status === 'absent'
          ? state
          : {
              ...state,
              passkeys: state.passkeys.filter((id) => id !== data.passkeyId),
              removedPasskeys: [...state.removedPasskeys, data.passkeyId],
            };
      case 'PasswordChanged':
      case 'PasswordRehashed':
        return state.status === 'absent' ? state : { ...state, hasOriginalHash: false };
      case 'TotpAdded':
      case 'TotpRemoved':
      case 'RecoveryCodesGenerated':
      case 'RecoveryCodeUsed':
      case 'SecondFactorsRemoved':
        return state.status === 'absent' ? state : { ...state, ...evolveSecondFactors(state, event) };
      case 'UserProfileChanged':
      case 'EmailVerified':
      case 'AllSessionsEnded':
        return state;
      default:
        return unreachable(type);
    }
  },
};

function changeGroups(
  userId: UserId,
  currentGroups: readonly GroupId[],
  { add, remove }: Pick<Extract<UserCommand, { type: 'ChangeGroups' }>, 'add' | 'remove'>,
): Decision<UserEvent, UserRefusal> {
  const addedGroups = [...new Set(add)].filter((groupId) => !currentGroups.includes(groupId));
  const removedGroups = [...new Set(remove)].filter((groupId) => currentGroups.includes(groupId));
  return accept<UserEvent>(
    ...removedGroups.map((groupId) => ({ type: 'GroupMemberRemoved', data: { userId, groupId } }) as const),
    ...addedGroups.map((groupId) => ({ type: 'GroupMemberAdded', data: { userId, groupId } }) as const),
  );
}

function areSameRoles(left: readonly Role[], right: readonly Role[]): boolean {
  return left.length === right.length && left.every((role) => right.includes(role));
}
