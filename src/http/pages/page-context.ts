import type { LoggedInUser } from '../pipeline/web-session.ts';
import type { PageContext, PageUser } from './render.ts';
import type { RequestContext } from '../pipeline/state.ts';

/** The context of a page that visitors and logged-in users may see. */
export function pageContext(ctx: RequestContext): PageContext {
  const person = ctx.state.webSession.loggedInUser();
  return person === undefined ? { user: null, ...sharedContext(ctx) } : pageContextFor(ctx, person);
}

/** The context of a page that only logged-in users see. */
export function pageContextFor(ctx: RequestContext, { user }: LoggedInUser): PageContext & { readonly user: PageUser } {
  return { user: { username: user.username, roles: user.roles }, ...sharedContext(ctx) };
}

function sharedContext({ path, state: { webSession } }: RequestContext): Omit<PageContext, 'user'> {
  return { csrfToken: webSession.csrfToken(), path, flash: webSession.takeFlash() };
}
