import type { Accounts } from '../accounts/accounts.ts';
import type { Config } from '../config/config.ts';
import type { EventLog } from '../event-store/event-log.ts';
import { english } from '../language/english.ts';
import type { Users } from '../projections/users.ts';
import { CannotRunError } from './exit.ts';

/**
 * Creates the administrator that the settings specify, unless an administrator exists. If several nodes start at the
 * same time, only one creates the account.
 * @throws CannotRunError if the account cannot be created
 */
export async function createFirstAdministrator(
  { admin }: Pick<Config, 'admin'>,
  service: {
    readonly accounts: Pick<Accounts, 'register'>;
    readonly log: Pick<EventLog, 'shared'>;
    readonly projections: { readonly users: Pick<Users, 'hasAdministrator'> };
  },
): Promise<void> {
  if (admin === null || service.projections.users.hasAdministrator()) return;
  const result = await service.accounts.register(
    { ...admin, roles: ['administrator'] },
    { actor: { kind: 'server' }, requestId: null },
  );
  if ('user' in result) return;
  await service.log.shared?.catchUp();
  if (service.projections.users.hasAdministrator()) return; // another node created the administrator
  const problems = Object.values(result.errors).map(english.text);
  throw new CannotRunError(`GRANTLOG_ADMIN_USERNAME, GRANTLOG_ADMIN_PASSWORD: ${problems.join(' ')}`);
}
