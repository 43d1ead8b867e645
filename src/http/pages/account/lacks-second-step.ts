import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import { usedSecondFactor } from '../../../domain/login.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';

/**
 * Reports whether the session began without a second factor even though the user's two-step login is on. Such a session
 * must not change the second factors: anyone who knew only the password could add a second factor and then present it.
 */
export function lacksSecondStep(
  policy: Pick<SecondFactorPolicy, 'isOn'>,
  { user, login }: Pick<LoggedInUser, 'user' | 'login'>,
): boolean {
  return policy.isOn(user.userId) && !usedSecondFactor(login);
}
