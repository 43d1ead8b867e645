import { lastAdministratorRefusal } from '../operations/users.ts';
import { callOnce, type CliContext } from './context.ts';

interface ListedUser {
  readonly username: string;
}

/**
 * Checks that disabling or erasing an account leaves an active administrator. Commands call
 * this function before they warn the operator or ask for confirmation.
 * @throws OperationRefused if there is no such user, or the user is the only active administrator
 */
export async function requireOtherAdministrator(username: string, context: CliContext): Promise<void> {
  const name = String((await callOnce(context, 'user show', { username }))['username']);
  const names: string[] = [];
  for await (const item of context.call('user list', { role: 'administrator', status: 'active' }))
    names.push((item as ListedUser).username);
  if (names.length === 1 && names[0] === name) throw lastAdministratorRefusal(name);
}
