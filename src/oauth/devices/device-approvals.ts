import type { Login, ShownText } from '../../domain/events.ts';
import { isSameScope, type Scope } from '../../domain/scope.ts';
import { grantStream } from '../../domain/streams.ts';
import type { EpochSeconds, UserId } from '../../domain/values.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { GuessLimiter } from '../../platform/limits/guess-limiter.ts';
import type { GrantCommands } from '../grant-types/grant-type.ts';
import { deviceCodeExpiry, type DeviceRequest } from './device-codes.ts';
import type { TokenDetails } from '../details/token-details.ts';
import type { PendingDevices } from './pending-devices.ts';
import { parseUserCode } from './user-codes.ts';

/** A user's approval of a request from a device. */
export interface DeviceApproval {
  readonly userId: UserId;
  readonly scope: Scope;
  /** How the user authenticated in this session; undefined if an earlier release started the session. */
  readonly login: Login | undefined;
  /** The text that the device page showed. */
  readonly shownText: ShownText | undefined;
}

/**
 * The outcome of a decision. `answered` means that the request had already been answered, differently or by another
 * user.
 */
export type DecisionOutcome = 'recorded' | 'answered';

/** Records users' decisions about requests from devices (RFC 8628 §3.3). */
export interface DeviceApprovals {
  /**
   * Returns the request with the code that the user entered, or undefined if the code is unknown, the request has
   * expired or has already been answered, or another user entered the code first.
   * @throws TooManyAttemptsError if too many wrong codes have been entered by the user or from the address
   */
  find(
    enteredCode: string,
    enteredBy: { readonly userId: UserId; readonly address: string },
    now: number,
  ): Promise<DeviceRequest | undefined>;
  /**
   * Reserves the request so that only this user can approve it.
   * @returns false if another user claimed it first, or if it is no longer pending
   */
  claim(request: DeviceRequest, userId: UserId): boolean;
  /**
   * Records the approval. Repeating an approval has no further effect.
   * @param context must be based on the user's account and the client
   */
  approve(
    request: DeviceRequest,
    approval: DeviceApproval,
    now: EpochSeconds,
    context: CommandContext,
  ): Promise<DecisionOutcome>;
  /** Records the denial, which is final, or revokes an earlier approval by this user. */
  deny(request: DeviceRequest, userId: UserId, now: EpochSeconds, context: CommandContext): Promise<DecisionOutcome>;
}

export function createDeviceApprovals(deps: {
  readonly grants: GrantCommands;
  readonly devices: Pick<PendingDevices, 'findFor' | 'claim' | 'remove'>;
  readonly guesses: GuessLimiter;
  readonly tokenDetails: Pick<TokenDetails, 'seal'>;
}): DeviceApprovals {
  const { grants, devices, guesses, tokenDetails } = deps;

  async function lookUp(enteredCode: string, userId: UserId, now: number): Promise<DeviceRequest | undefined> {
    const userCode = parseUserCode(enteredCode);
    const request = userCode === undefined ? undefined : devices.findFor(userId, userCode, now);
    if (request === undefined) return undefined;
    const { status } = await grants.state(grantStream(request.grantId));
    if (status === 'absent') return request;
    devices.remove(request); // answered on another node
    return undefined;
  }

  return {
    async find(enteredCode, { userId, address }, now) {
      const attempt = guesses.attempt({ subject: userId, source: address });
      attempt.begin();
      try {
        const request = await lookUp(enteredCode, userId, now);
        // Not `succeed()`: users can request codes themselves, and entering these must not earn them more guesses.
        if (request !== undefined) attempt.cancel();
        return request;
      } finally {
        attempt.fail(); // no effect after `cancel()`
      }
    },

    claim: (request, userId) => devices.claim(request, userId),

    async approve(request, { userId, scope, login, shownText }, now, context) {
      const { grantId, clientId, codeHash, resource, scope: requestedScope, details: requestedDetails = [] } = request;
      const stream = grantStream(grantId);
      const details = (await tokenDetails.seal({ clientId, userId }, requestedDetails))?.recorded;
      const { refusal, state } = await grants.execute(
        stream,
        {
          type: 'AuthorizeDevice',
          grantId,
          clientId,
          userId,
          scope,
          resource,
          codeHash,
          login,
          details,
          requested: {
            scope: requestedScope,
            ...(details && { details: details.map(({ type, hash }) => ({ type, hash })) }),
          },
          shown: shownText,
          now,
          expiresAt: deviceCodeExpiry(request),
        },
        context,
      );
      devices.remove(request);
      if (refusal === undefined) return 'recorded';
      const { deviceCode, refresh, status } = state;
      const earlierApproval = deviceCode ?? refresh;
      const isRepeated =
        earlierApproval !== null && earlierApproval.userId === userId && isSameScope(earlierApproval.scope, scope);
      return isRepeated && status !== 'revoked' ? 'recorded' : 'answered';
    },

    async deny(request, userId, now, context) {
      const { grantId, clientId } = request;
      const stream = grantStream(grantId);
      const { deviceCode, refresh } = await grants.state(stream);
      const approvedBy = (deviceCode ?? refresh)?.userId ?? userId;
      if (approvedBy !== userId) return 'answered';
      await grants.execute(stream, { type: 'DenyDevice', grantId, clientId, userId, now }, context);
      devices.remove(request);
      return 'recorded';
    },
  };
}
