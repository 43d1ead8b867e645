import type { SecondFactor } from '../domain/events.ts';
import { firstFactorOf, type FirstFactor } from '../domain/login.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import type { Position } from '../event-store/event-log.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { SecondFactors } from '../projections/second-factors.ts';
import type { User } from '../projections/users.ts';
import type { AuthenticatedUser } from './authenticated-user.ts';
import type { Challenges } from './challenges.ts';
import type { PasswordSender } from './guarded-passwords.ts';
import type { PasskeyLogins } from './passkeys.ts';
import { recoveryCodeNumber } from './recovery-codes.ts';
import type { SecurityNotices } from './security-notices.ts';
import { findStep } from './totp.ts';

/** A user who has completed the first step, in this login or in the login that started the current session. */
export type FirstStep = FirstFactor & {
  readonly user: User;
  /** When the user completed the first step, if the second step adds to an existing session; undefined means now. */
  readonly authenticatedAt?: EpochSeconds;
};

/** The credential that the user presents in the second step. */
export type PresentedFactor =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'recovery-code'; readonly code: string }
  /** The response of an authenticator to `PasskeyLogins.secondStepOptions`. */
  | { readonly kind: 'passkey'; readonly responseJson: string; readonly session: string };

/**
 * The second step of a login. Only callers who have completed the first step get here, so strangers cannot use up a
 * user's attempts.
 */
export interface SecondSteps {
  /**
   * Completes the login. Returns undefined if the factor is invalid or has been used before. A code from an
   * authenticator app can start only one session, on any node.
   * @throws TooManyAttemptsError before anything is checked
   */
  complete(
    first: FirstStep,
    factor: PresentedFactor,
    request: SecondStepAttempt,
  ): Promise<AuthenticatedUser | undefined>;
}

export interface SecondStepAttempt extends PasswordSender {
  readonly context: CommandContext;
}

interface VerifiedFactor {
  readonly secondFactor: SecondFactor;
  /** The id of the only session that the factor may start; undefined if its use is recorded in the log. */
  readonly sessionId?: string;
}

export function createSecondSteps(deps: {
  readonly commands: Pick<CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>, 'execute'>;
  readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
  readonly passkeyLogins: Pick<PasskeyLogins, 'verifySecondStep'>;
  readonly challenges: Pick<Challenges, 'idFrom'>;
  readonly limits: Pick<RateLimits, 'secondSteps'>;
  readonly notices: SecurityNotices;
  /** The last log position that the projections include. */
  readonly position: () => Position;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}): SecondSteps {
  const { commands, secondFactors, passkeyLogins, challenges, limits, notices, position, now } = deps;

  function verifyCode({ userId }: User, code: string): VerifiedFactor | undefined {
    const totp = secondFactors.totpOf(userId);
    const step = totp && findStep(code, totp.secret, now());
    if (totp === undefined || step === undefined || totp.usedSteps.includes(step)) return undefined;
    const { totpId } = totp;
    return { secondFactor: { method: 'totp', totpId, step }, sessionId: challenges.idFrom(`totp ${totpId} ${step}`) };
  }

  async function useRecoveryCode(
    user: User,
    code: string,
    { context, once }: SecondStepAttempt,
  ): Promise<VerifiedFactor | undefined> {
    const { userId, stream } = user;
    const codes = secondFactors.recoveryCodesOf(userId);
    const number = codes && recoveryCodeNumber(code, codes.hashes);
    if (codes === undefined || number === undefined || codes.used.includes(number)) return undefined;
    const { codesId } = codes;
    const command = { type: 'UseRecoveryCode', userId, codesId, number } as const;
    const { refusal } = await once(['recovery code', codesId, `${number}`], () =>
      commands.execute(stream, command, context),
    );
    if (refusal !== undefined) return undefined;
    notices.send(user, 'code-used');
    return { secondFactor: { method: 'recovery-code', codesId, number } };
  }

  async function verify(
    user: User,
    factor: PresentedFactor,
    attempt: SecondStepAttempt,
  ): Promise<VerifiedFactor | undefined> {
    if (factor.kind === 'code') return verifyCode(user, factor.code);
    if (factor.kind === 'recovery-code') return useRecoveryCode(user, factor.code, attempt);
    const { responseJson, session } = factor;
    const passkey = await passkeyLogins.verifySecondStep(user, responseJson, session, attempt.once);
    if (passkey === undefined) return undefined;
    const { passkeyId, sessionId } = passkey;
    return { secondFactor: { method: 'passkey', passkeyId }, sessionId };
  }

  return {
    async complete(first, factor, request) {
      const { user, authenticatedAt } = first;
      const subject = `second step\0${user.userId}`; // user names contain no NUL
      const isProven = request.browser?.userId === user.userId;
      const source = isProven ? `browser ${request.browser?.browserId}` : request.address;
      const attempt = limits.secondSteps.attempt({ subject, source, isProven });
      attempt.begin();
      try {
        const checkedAsOf = position();
        const verifiedFactor = await verify(user, factor, request);
        if (verifiedFactor === undefined) return undefined;
        attempt.succeed();
        const { secondFactor, sessionId } = verifiedFactor;
        return {
          user,
          check: { ...firstFactorOf(first), checkedAsOf, secondFactor },
          ...(authenticatedAt !== undefined && { authenticatedAt }),
          ...(sessionId !== undefined && { sessionId }),
        };
      } finally {
        attempt.fail(); // no effect after `succeed()`
      }
    },
  };
}
