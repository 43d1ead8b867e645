import type { SecondFactorPolicy } from '../../../accounts/second-factor-policy.ts';
import { usedSecondFactor } from '../../../domain/login.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';

/**
 * Reports whether the session was started without a second step even though the user has turned two-step login on. Such
 * a session must not change the second factors: anyone with the password could add one, and then present it.
 */
export function lacksSecondStep(
  policy: Pick<SecondFactorPolicy, 'isOn'>,
  { user, login }: Pick<LoggedInUser, 'user' | 'login'>,
): boolean {
  return policy.isOn(user.userId) && !usedSecondFactor(login);
}
