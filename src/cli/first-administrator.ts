import type { Accounts } from '../accounts/accounts.ts';
import type { Config } from '../config/config.ts';
import type { Users } from '../projections/users.ts';
import { CannotRun } from './exit.ts';

/**
 * Makes the administrator that the settings name, if there is none at all.
 * @throws CannotRun the account cannot be made
 */
export async function createFirstAdministrator(
  { admin }: Pick<Config, 'admin'>,
  service: {
    readonly accounts: Pick<Accounts, 'register'>;
    readonly projections: { readonly users: Pick<Users, 'hasAdministrator'> };
  },
): Promise<void> {
  if (admin === null || service.projections.users.hasAdministrator()) return;
  const made = await service.accounts.register(
    { ...admin, roles: ['administrator'] },
    { actor: { kind: 'server' }, requestId: null },
  );
  if ('user' in made) return;
  throw new CannotRun(`GRANTLOG_ADMIN_USERNAME, GRANTLOG_ADMIN_PASSWORD: ${Object.values(made.errors).join(' ')}`);
}
