import { observedAccount } from '../domain/streams.ts';
import type { UserCommand, UserEvent, UserRefusal, UserState } from '../domain/user.ts';
import type { CommandContext, CommandHandler } from '../event-store/command-handler.ts';
import type { User } from '../projections/users.ts';
import type { Vault } from './personal-data.ts';

/**
 * Records that the user receives mail at the account's address. Does nothing if the account has no address or no longer
 * exists.
 * @throws DecisionOutdated if the account has changed since it was read
 */
export type VerifyEmail = (user: User, context: CommandContext) => Promise<void>;

export function createEmailVerifier(deps: {
  readonly commands: Pick<CommandHandler<UserCommand, UserState, UserEvent, UserRefusal>, 'execute'>;
  readonly vault: Pick<Vault, 'trySeal'>;
}): VerifyEmail {
  return async (user, context) => {
    const { userId, stream, email } = user;
    const sealed = email === '' ? undefined : deps.vault.trySeal(userId, { verifiedEmail: email });
    if (sealed === undefined) return;
    const basedOn = [...(context.basedOn ?? []), observedAccount(user)];
    await deps.commands.execute(stream, { type: 'VerifyEmail', userId, sealed }, { ...context, basedOn });
  };
}
