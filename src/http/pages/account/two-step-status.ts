import type { PasskeyLogins } from '../../../accounts/passkeys.ts';
import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { Passkeys } from '../../../projections/passkeys.ts';
import type { SecondFactors } from '../../../projections/second-factors.ts';
import type { User } from '../../../projections/users.ts';

/** The state of a user's two-step login, as shown on pages. */
export interface TwoStepStatus {
  readonly isOn: boolean;
  /** Whether the settings require the user to use two-step login. */
  readonly isRequired: boolean;
  readonly app: { readonly since: EpochSeconds; readonly lastUsed: EpochSeconds | null } | null;
  readonly passkeyCount: number;
  /** Whether users can add passkeys on this server. */
  readonly passkeysOffered: boolean;
  readonly codes: { readonly since: EpochSeconds; readonly left: number; readonly all: number } | null;
}

export function twoStepStatus(
  deps: {
    readonly secondFactorPolicy: Pick<SecondFactorPolicy, 'isOn' | 'isRequired'>;
    readonly secondFactors: Pick<SecondFactors, 'totpOf' | 'recoveryCodesOf'>;
    readonly passkeys: Pick<Passkeys, 'listByUser'>;
    readonly passkeyLogins: Pick<PasskeyLogins, 'relyingParty'>;
  },
  user: Pick<User, 'userId' | 'roles'>,
): TwoStepStatus {
  const { secondFactorPolicy, secondFactors, passkeys, passkeyLogins } = deps;
  const { userId } = user;
  const [app, codes] = [secondFactors.totpOf(userId), secondFactors.recoveryCodesOf(userId)];
  return {
    isOn: secondFactorPolicy.isOn(userId),
    isRequired: secondFactorPolicy.isRequired(user),
    app:
      app === undefined
        ? null
        : { since: app.addedAt as EpochSeconds, lastUsed: app.lastUsedAt as EpochSeconds | null },
    passkeyCount: passkeys.listByUser(userId).length,
    passkeysOffered: passkeyLogins.relyingParty() !== undefined,
    codes:
      codes === undefined
        ? null
        : {
            since: codes.generatedAt as EpochSeconds,
            left: codes.hashes.length - codes.used.length,
            all: codes.hashes.length,
          },
  };
}
