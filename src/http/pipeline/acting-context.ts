import { accountAsRead } from '../../domain/streams.ts';
import type { CommandContext } from '../../event-store/command-handler.ts';
import type { StreamAsRead } from '../../event-store/event-log.ts';
import type { LoggedInUser } from './web-session.ts';
import type { RequestContext } from './state.ts';

/**
 * The user who is logged in acts, with this request. Nothing is recorded if anything has happened to the account since
 * it was read: a role may have been taken away, or all sessions ended.
 * @param alsoRead what else must not have changed
 */
export function actingContext(
  ctx: RequestContext,
  { user }: Pick<LoggedInUser, 'user'>,
  ...alsoRead: readonly StreamAsRead[]
): CommandContext {
  return { actor: { kind: 'user', id: user.userId }, ...ctx.state.mark, basedOn: [accountAsRead(user), ...alsoRead] };
}
