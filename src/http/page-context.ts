import type { LoggedInUser } from './middleware/web-session.ts';
import type { PageContext } from './render.ts';
import type { RequestContext } from './state.ts';

/** The frame of a page for whoever asks for it. */
export function pageContext(ctx: RequestContext): PageContext {
  const person = ctx.state.webSession.person();
  return {
    user: person === undefined ? null : { username: person.user.username },
    csrfToken: ctx.state.webSession.csrfToken(),
  };
}

/** The frame of a page that only a logged-in person sees. */
export function framedFor(ctx: RequestContext, { user }: LoggedInUser) {
  return { user: { username: user.username }, csrfToken: ctx.state.webSession.csrfToken() };
}
