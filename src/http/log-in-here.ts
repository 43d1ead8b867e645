import type { UserId } from '../domain/values.ts';
import { writeBrowserCookie } from './browser-cookie.ts';
import type { RequestContext } from './state.ts';

/** Begins a session for whoever has just proven who they are, in a browser that is known again from then on. */
export async function logInHere(ctx: RequestContext, userId: UserId, mintBrowserId: () => string): Promise<void> {
  await ctx.state.webSession.logIn(userId);
  writeBrowserCookie(ctx, userId, mintBrowserId);
}
