import { mayAudit } from '../domain/roles.ts';
import type { Role } from '../domain/events.ts';
import type { UserId } from '../domain/values.ts';
import type { Passkeys } from '../projections/passkeys.ts';
import type { SecondFactors } from '../projections/second-factors.ts';

/** The users who must use two-step login: none, only auditors and administrators (`roles`), or all. */
export type SecondFactorRequirement = 'none' | 'roles' | 'all';

interface Account {
  readonly userId: UserId;
  readonly roles: readonly Role[];
}

/**
 * Decides which users must complete a second step when they log in with a password, or through a provider that reports
 * no second factor.
 */
export interface SecondFactorPolicy {
  /** Reports whether the user could complete a second step, with an authenticator app or a passkey. */
  hasFactor(userId: UserId): boolean;
  /**
   * Reports whether the user has turned two-step login on. An authenticator app turns it on, and so do recovery codes
   * for a user with a passkey. A passkey alone does not, because it may exist on only one device, and the user would be
   * locked out on every other device.
   */
  isOn(userId: UserId): boolean;
  /** Reports whether the settings require two-step login for the user. */
  isRequired(account: Account): boolean;
  /** Returns the user's next step after the first one. */
  nextStep(account: Account): 'none' | 'second-step' | 'enrollment';
}

export function createSecondFactorPolicy(deps: {
  readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
  readonly passkeys: Pick<Passkeys, 'listByUser'>;
  readonly settings: { readonly requireSecondFactor: SecondFactorRequirement };
}): SecondFactorPolicy {
  const { secondFactors, passkeys, settings } = deps;
  const hasApp = (userId: UserId): boolean => secondFactors.totpOf(userId) !== undefined;
  const hasPasskey = (userId: UserId): boolean => passkeys.listByUser(userId).length > 0;

  const policy: SecondFactorPolicy = {
    hasFactor: (userId) => hasApp(userId) || hasPasskey(userId),

    isOn: (userId) => hasApp(userId) || (secondFactors.recoveryCodesOf(userId) !== undefined && hasPasskey(userId)),

    isRequired({ roles }) {
      const { requireSecondFactor } = settings;
      return requireSecondFactor === 'all' || (requireSecondFactor === 'roles' && mayAudit(roles));
    },

    nextStep(account) {
      if (!policy.isOn(account.userId) && !policy.isRequired(account)) return 'none';
      return policy.hasFactor(account.userId) ? 'second-step' : 'enrollment';
    },
  };
  return policy;
}
