import type { KeyObject } from 'node:crypto';
import type { SecondFactorsRemovalReason } from '../domain/events.ts';
import { firstFactorOf, type FirstFactor } from '../domain/login.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { RecoveryCodesId, TotpId, UserId } from '../domain/values.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import type { Position } from '../event-store/event-log.ts';
import type { Entropy } from '../platform/ports.ts';
import type { SecondFactors } from '../projections/second-factors.ts';
import type { User, Users } from '../projections/users.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';
import type { Challenges } from './challenges.ts';
import type { KeepAnAdministrator } from './last-administrator.ts';
import type { Vault } from './personal-data.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import type { SecurityNotices } from './security-notices.ts';
import { deriveAppSecret, otpauthUri, findStep } from './totp.ts';

/** An authenticator app that the user can add by scanning or opening `uri`, or by typing `secret`. */
export interface OfferedApp {
  readonly secret: string;
  readonly uri: string;
}

export interface AddedApp {
  /** The codes must be shown now, because only their hashes are stored. */
  readonly recoveryCodes: readonly string[];
  /** Can start the session that the user continues in. */
  readonly authenticated: AuthenticatedUser;
}

export interface RecoveryCodeSet {
  readonly codesId: RecoveryCodesId;
  readonly recoveryCodes: readonly string[];
}

/** Adds and removes users' second factors. Each change is recorded as an event, and the user is notified by e-mail. */
export interface SecondFactorChanges {
  /**
   * Returns an app for the user to add.
   * @param session a value that is unique to the browser's session
   */
  offerApp(user: User, session: string): OfferedApp;
  /**
   * Adds the offered app. Call this only for a user who has just entered the correct password or completed a second
   * step.
   * @param app the first code of the offered app, and the first step of the login that the new session continues
   * @returns undefined if the code is wrong; `exists` if the account already has an app
   */
  addApp(
    user: User,
    app: { readonly code: string; readonly session: string; readonly first: FirstFactor },
    context: CommandContext,
  ): Promise<AddedApp | 'exists' | undefined>;
  removeApp(user: User, context: CommandContext): Promise<void>;
  /** Generates recovery codes, to be shown once. The same source results in the same codes. */
  generateRecoveryCodes(source?: Entropy): RecoveryCodeSet;
  /** Replaces the recovery codes, unless the user already has these codes. */
  replaceRecoveryCodes(user: User, codeSet: RecoveryCodeSet, context: CommandContext): Promise<void>;
  /**
   * Removes the authenticator app and the recovery codes and, if the factors are lost, the passkeys. The operator can
   * even remove the passkeys that the last administrator logs in with, and then set a password.
   * @returns whether there was anything to remove
   * @throws NoAdministratorLeft if no administrator would be able to log in afterwards
   */
  removeAll(user: User, reason: SecondFactorsRemovalReason, context: CommandContext): Promise<boolean>;
}

export function createSecondFactorChanges(deps: {
  readonly commands: Pick<CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>, 'execute'>;
  readonly users: Pick<Users, 'find'>;
  readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly challenges: Pick<Challenges, 'idFrom'>;
  /** Derives the secrets of offered apps. */
  readonly key: KeyObject;
  readonly entropy: Entropy;
  readonly mintId: (source: Entropy) => string;
  /** This server's name in authenticator apps. */
  readonly appIssuer: () => string;
  readonly notices: SecurityNotices;
  readonly keepAnAdministrator: KeepAnAdministrator;
  readonly position: () => Position;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}): SecondFactorChanges {
  const { commands, users, secondFactors, vault, challenges, key, entropy, mintId, appIssuer, notices, position, now } =
    deps;

  function secretFor({ userId, revision }: User, session: string): string {
    return deriveAppSecret(key, [userId, `${revision}`, session]);
  }

  function generateRecoveryCodes(source = entropy): RecoveryCodeSet {
    const codesId = mintId(source) as RecoveryCodesId;
    return { codesId, recoveryCodes: newRecoveryCodes(source) };
  }

  function sealCodes(userId: UserId, { codesId, recoveryCodes }: RecoveryCodeSet) {
    return { codesId, sealed: vault.seal(userId, { recoveryCodes: recoveryCodes.map(hashRecoveryCode) }) };
  }

  return {
    offerApp(user, session) {
      const secret = secretFor(user, session);
      return { secret, uri: otpauthUri(secret, appIssuer(), user.username) };
    },

    async addApp(user, { code, session, first }, context) {
      const { userId, stream } = user;
      const totpSecret = secretFor(user, session);
      const step = findStep(code, totpSecret, now());
      if (step === undefined || users.find(userId) === undefined) return undefined;
      const totpId = mintId(entropy) as TotpId;
      const codeSet = generateRecoveryCodes();
      const [sealed, codes] = [vault.seal(userId, { totpSecret }), sealCodes(userId, codeSet)];
      const command = { type: 'AddTotp', userId, totpId, sealed, codes } as const;
      const { refusal } = await commands.execute(stream, command, context);
      if (refusal === 'totp-exists') return 'exists';
      const current = users.find(userId);
      if (refusal !== undefined || current === undefined) return undefined;
      notices.send(current, 'app-added');
      const secondFactor = { method: 'totp', totpId, step } as const;
      const check = { ...firstFactorOf(first), checkedAsOf: position(), secondFactor };
      const sessionId = challenges.idFrom(`totp ${totpId} ${step}`);
      return { recoveryCodes: codeSet.recoveryCodes, authenticated: { user: current, check, sessionId } };
    },

    async removeApp(user, context) {
      const { userId, stream } = user;
      const totp = secondFactors.totpOf(userId);
      if (totp === undefined) return;
      const { totpId } = totp;
      const { events } = await commands.execute(stream, { type: 'RemoveTotp', userId, totpId }, context);
      if (events.length > 0) notices.send(user, 'app-removed');
    },

    generateRecoveryCodes,

    async replaceRecoveryCodes(user, codeSet, context) {
      const { userId, stream } = user;
      const turnsOnTwoStepLogin =
        secondFactors.recoveryCodesOf(userId) === undefined && secondFactors.totpOf(userId) === undefined;
      const command = { type: 'GenerateRecoveryCodes', userId, codes: sealCodes(userId, codeSet) } as const;
      const { events } = await commands.execute(stream, command, context);
      if (events.length > 0) notices.send(user, turnsOnTwoStepLogin ? 'turned-on' : 'codes-generated');
    },

    async removeAll(user, reason, context) {
      const { userId, stream } = user;
      const isGuarded = reason === 'lost' && context.actor.kind !== 'operator';
      const change = { affects: 'passkey', account: user, passkeyId: 'all' } as const;
      const guardedContext = isGuarded ? deps.keepAnAdministrator(change, context) : context;
      const { events } = await commands.execute(
        stream,
        { type: 'RemoveSecondFactors', userId, reason },
        guardedContext,
      );
      if (events.length > 0) notices.send(user, reason === 'lost' ? 'all-removed' : 'turned-off');
      return events.length > 0;
    },
  };
}
