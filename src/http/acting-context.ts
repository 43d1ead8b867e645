import type { CommandContext } from '../eventsourcing/command-handler.ts';
import type { LoggedInUser } from './middleware/web-session.ts';
import type { RequestContext } from './state.ts';

/** Into the envelope of what is recorded: the person who is logged in did it, with this request. */
export function actingContext(ctx: RequestContext, { user }: LoggedInUser): CommandContext {
  return { actor: { kind: 'user', id: user.userId }, ...ctx.state.mark };
}
