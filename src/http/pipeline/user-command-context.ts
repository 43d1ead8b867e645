import { observedAccount } from '../../domain/streams.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { LoggedInUser } from './web-session.ts';
import type { RequestContext } from './state.ts';

/**
 * Returns the context for a command whose actor is the logged-in user. Nothing is recorded if the account has changed
 * since it was read: a role may have been removed, or all sessions ended.
 * @param unchangedStreams other streams that must not have changed
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
