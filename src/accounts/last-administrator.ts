import { canAdminister, otherAdministrator } from '../domain/roles.ts';
import { accountAsRead } from '../domain/streams.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import { decideAgain } from '../event-store/decide-again.ts';
import type { Users } from '../projections/users.ts';

/** The change would leave the server without an administrator. Nothing was changed. */
export class LastAdministrator extends Error {
  override readonly name = 'LastAdministrator';

  constructor() {
    super('this is the last administrator who can log in');
  }
}

/**
 * Runs a command that could leave the server without an administrator.
 * @throws LastAdministrator
 */
export type AdministratorGuard = (command: UserCommand, context: CommandContext) => Promise<void>;

/**
 * The command depends on the account and, if it is an administrator, on another administrator. When the last two are
 * demoted at the same time, one of the commands is refused.
 */
export function createAdministratorGuard({
  commands,
  users,
}: {
  readonly commands: CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>;
  readonly users: Pick<Users, 'find' | 'all'>;
}): AdministratorGuard {
  return (command, context) =>
    decideAgain(async () => {
      const account = users.find(command.userId);
      if (account === undefined) return;
      const other = canAdminister(account) ? otherAdministrator(account, users.all()) : account;
      if (other === undefined) throw new LastAdministrator();
      const basedOn = [...(context.basedOn ?? []), ...[account, other].map(accountAsRead)];
      await commands.execute(account.stream, command, { ...context, basedOn });
    });
}
