import { isActiveAdministrator } from '../domain/roles.ts';
import { observedAccount } from '../domain/streams.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import { decideAgain } from '../event-store/decide-again.ts';
import type { Users } from '../projections/users.ts';
import type { AdministratorLogins, GuardedChange } from './administrator-logins.ts';

/** Thrown when a change would leave the server without an administrator who can log in. Nothing was changed. */
export class NoAdministratorLeft extends Error {
  override readonly name = 'NoAdministratorLeft';

  constructor(affects: GuardedChange['affects']) {
    super('this change would leave no administrator able to log in');
    this.affects = affects;
  }

  readonly affects: GuardedChange['affects'];
}

/**
 * Returns the context for recording the change. With this context, the append fails with DecisionOutdated if the
 * remaining administrator may no longer be able to log in by then.
 * @throws NoAdministratorLeft if no administrator would be able to log in afterwards
 */
export type KeepAnAdministrator = (change: GuardedChange, context: CommandContext) => CommandContext;

export function createAdministratorKeeper(
  logins: Pick<AdministratorLogins, 'administratorBasis' | 'leavesNoAdministrator'>,
): KeepAnAdministrator {
  return (change, context) => {
    const accountBasis = 'account' in change ? [observedAccount(change.account)] : [];
    if ('account' in change && !isActiveAdministrator(change.account))
      return { ...context, basedOn: [...(context.basedOn ?? []), ...accountBasis] };
    if (logins.leavesNoAdministrator(change)) throw new NoAdministratorLeft(change.affects);
    return {
      ...context,
      basedOn: [...(context.basedOn ?? []), ...accountBasis, ...(logins.administratorBasis(change) ?? [])],
      // `basedOn` cannot include a provider that was added in the meantime.
      isStillValid: () => context.isStillValid?.() !== false && !logins.leavesNoAdministrator(change),
    };
  };
}

/**
 * Runs a command after which the account can no longer administer the server.
 * @throws NoAdministratorLeft if no administrator would be able to log in afterwards
 */
export type AdministratorGuard = (command: UserCommand, context: CommandContext) => Promise<void>;

/**
 * Creates a guard. The command depends on the account and, if the user is an administrator, on another administrator
 * who can log in. If the last two administrators are demoted at the same time, one of the commands is refused.
 */
export function createAdministratorGuard({
  commands,
  users,
  keepAnAdministrator,
}: {
  readonly commands: CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>;
  readonly users: Pick<Users, 'find'>;
  readonly keepAnAdministrator: KeepAnAdministrator;
}): AdministratorGuard {
  return (command, context) =>
    decideAgain(async () => {
      const account = users.find(command.userId);
      if (account === undefined) return;
      await commands.execute(account.stream, command, keepAnAdministrator({ affects: 'account', account }, context));
    });
}
