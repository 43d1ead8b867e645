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

  /** @param lost what the administrators would lose */
  constructor(lost: GuardedChange['loses']) {
    super('this change would leave no administrator able to log in');
    this.lost = lost;
  }

  readonly lost: GuardedChange['loses'];
}

/**
 * Returns the context for recording the change. In it, the append fails with DecisionOutdated if the remaining
 * administrator might no longer be able to log in at that time.
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
    if (logins.leavesNoAdministrator(change)) throw new NoAdministratorLeft(change.loses);
    return {
      ...context,
      basedOn: [...(context.basedOn ?? []), ...accountBasis, ...(logins.administratorBasis(change) ?? [])],
      // A provider that was added in the meantime has no stream that the change could be based on.
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
 * Creates a guard. The command depends on the account and, if it is an administrator, on another administrator who can
 * log in. When the last two are demoted at the same time, one of the commands is refused.
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
      await commands.execute(account.stream, command, keepAnAdministrator({ loses: 'account', account }, context));
    });
}
