import { accountAsRead } from '../../domain/streams.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { LoggedInUser } from './web-session.ts';
import type { RequestContext } from './state.ts';

/**
 * The user who is logged in acts, with this request. Nothing is recorded if anything has happened to the account since
 * it was read: a role may have been taken away, or all sessions ended.
 * @param alsoRead what else must not have changed
 */
export function userCommandContext(
  ctx: RequestContext,
  { user }: Pick<LoggedInUser, 'user'>,
  ...alsoRead: readonly ObservedRevision[]
): CommandContext {
  return {
    actor: { kind: 'user', id: user.userId },
    ...ctx.state.metadata,
    basedOn: [accountAsRead(user), ...alsoRead],
  };
}
