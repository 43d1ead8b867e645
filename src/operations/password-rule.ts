import { passwordWeakness } from '../accounts/password-advice.ts';
import { english } from '../language/english.ts';
import type { User } from '../projections/users.ts';
import { OperationRefused } from './control/operation-refused.ts';

/**
 * Returns why the password is weak if weak passwords are accepted, or undefined if it is not weak.
 * @param isAccepted whether weak passwords are accepted, as in scripts for earlier releases
 * @throws OperationRefused if it is weak and not accepted
 */
export function acceptedWeakness(
  password: string,
  { username, email }: Pick<User, 'username' | 'email'>,
  isAccepted: boolean,
): string | undefined {
  const problem = passwordWeakness(password, [username, email]);
  const weakness = problem && english.text(problem);
  if (weakness === undefined || isAccepted) return weakness;
  throw new OperationRefused(`password: ${weakness}`, 'invalid', [{ path: ['password'], message: weakness }]);
}
