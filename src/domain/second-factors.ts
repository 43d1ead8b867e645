import { accept, noChange, refuse, type Decision } from '../event-store/decider.ts';
import type { EventOf, SecondFactorsRemovalReason } from './events.ts';
import { unreachable, type PasskeyId, type RecoveryCodesId, type TotpId, type UserId } from './values.ts';

/** The events of an account's second factors, in the account's stream. Passkeys have their own events. */
export type SecondFactorEvent = EventOf<
  'TotpAdded' | 'TotpRemoved' | 'RecoveryCodesGenerated' | 'RecoveryCodeUsed' | 'SecondFactorsRemoved'
>;

export type SecondFactorCommand =
  /** Also replaces the recovery codes, so that every user with an authenticator app has codes. */
  | ({
      readonly type: 'AddTotp';
      readonly userId: UserId;
      readonly totpId: TotpId;
      readonly sealed: string;
    } & { readonly codes: NewRecoveryCodes })
  | { readonly type: 'RemoveTotp'; readonly userId: UserId; readonly totpId: TotpId }
  /** Does nothing if the user already has these codes, because the request was sent twice. */
  | { readonly type: 'GenerateRecoveryCodes'; readonly userId: UserId; readonly codes: NewRecoveryCodes }
  | {
      readonly type: 'UseRecoveryCode';
      readonly userId: UserId;
      readonly codesId: RecoveryCodesId;
      readonly number: number;
    }
  /** If the reason is `lost`, also removes the passkeys and ends all sessions. */
  | { readonly type: 'RemoveSecondFactors'; readonly userId: UserId; readonly reason: SecondFactorsRemovalReason };

interface NewRecoveryCodes {
  readonly codesId: RecoveryCodesId;
  readonly sealed: string;
}

export type SecondFactorRefusal = 'totp-exists' | 'recovery-code-used';

export interface SecondFactorState {
  readonly totpId: TotpId | null;
  readonly codes: { readonly codesId: RecoveryCodesId; readonly usedNumbers: readonly number[] } | null;
}

export const NO_SECOND_FACTORS: SecondFactorState = { totpId: null, codes: null };

/** The additional events that are recorded when all second factors are removed because they were lost. */
type RemovalEvent = EventOf<'PasskeyRemoved' | 'AllSessionsEnded'>;

/** Decides a command about second factors, for the account's decider. */
export function decideSecondFactor(
  command: SecondFactorCommand,
  { totpId, codes, passkeys }: SecondFactorState & { readonly passkeys: readonly PasskeyId[] },
): Decision<SecondFactorEvent | RemovalEvent, SecondFactorRefusal> {
  const { userId } = command;
  switch (command.type) {
    case 'AddTotp': {
      if (totpId !== null) return refuse('totp-exists');
      const { sealed } = command;
      return accept<SecondFactorEvent>(
        { type: 'TotpAdded', data: { userId, totpId: command.totpId, sealed } },
        { type: 'RecoveryCodesGenerated', data: { userId, ...command.codes } },
      );
    }
    case 'RemoveTotp':
      return command.totpId === totpId
        ? accept<SecondFactorEvent>({ type: 'TotpRemoved', data: { userId, totpId } })
        : noChange;
    case 'GenerateRecoveryCodes':
      if (codes?.codesId === command.codes.codesId) return noChange;
      return accept<SecondFactorEvent>({ type: 'RecoveryCodesGenerated', data: { userId, ...command.codes } });
    case 'UseRecoveryCode': {
      const { codesId, number } = command;
      if (codes?.codesId !== codesId || codes.usedNumbers.includes(number)) return refuse('recovery-code-used');
      return accept<SecondFactorEvent>({ type: 'RecoveryCodeUsed', data: { userId, codesId, number } });
    }
    case 'RemoveSecondFactors': {
      const { reason } = command;
      const lostPasskeys = reason === 'lost' ? passkeys : [];
      if (totpId === null && codes === null && lostPasskeys.length === 0) return noChange;
      const sessionsEnded: readonly RemovalEvent[] =
        reason === 'lost' ? [{ type: 'AllSessionsEnded', data: { userId } }] : [];
      return accept<SecondFactorEvent | RemovalEvent>(
        ...lostPasskeys.map((passkeyId): RemovalEvent => ({ type: 'PasskeyRemoved', data: { userId, passkeyId } })),
        { type: 'SecondFactorsRemoved', data: { userId, reason } },
        ...sessionsEnded,
      );
    }
    default:
      return unreachable(command);
  }
}

/** Returns the state of the second factors after the event. */
export function evolveSecondFactors(
  state: SecondFactorState,
  { type, data }: SecondFactorEvent,
): Pick<SecondFactorState, 'totpId' | 'codes'> {
  const { totpId, codes } = state;
  switch (type) {
    case 'TotpAdded':
      return { totpId: data.totpId, codes };
    case 'TotpRemoved':
      return { totpId: null, codes };
    case 'RecoveryCodesGenerated':
      return { totpId, codes: { codesId: data.codesId, usedNumbers: [] } };
    case 'RecoveryCodeUsed':
      return { totpId, codes: codes && { ...codes, usedNumbers: [...codes.usedNumbers, data.number] } };
    case 'SecondFactorsRemoved':
      return NO_SECOND_FACTORS;
    default:
      return unreachable(type);
  }
}
