import { observedAccount } from '../../domain/streams.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { LoggedInUser } from './web-session.ts';
import type { RequestContext } from './state.ts';

/**
 * Returns the context for a command whose actor is the logged-in user. The command records nothing if the user's
 * account has changed since it was read, because the change may have removed a role or ended all sessions.
 * @param unchangedStreams other streams that must not have changed since they were read
 */
export function userCommandContext(
  ctx: RequestContext,
  { user }: Pick<LoggedInUser, 'user'>,
  ...unchangedStreams: readonly ObservedRevision[]
): CommandContext {
  return {
    actor: { kind: 'user', id: user.userId },
    ...ctx.state.metadata,
    basedOn: [observedAccount(user), ...unchangedStreams],
  };
}
