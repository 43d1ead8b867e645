import type { TrustedBrowser } from '../../accounts/guarded-passwords.ts';
import type { UserId } from '../../domain/values.ts';
import type { RequestContext } from './state.ts';

/** Half a year: whoever comes back later has to do with what the address has left. */
const LIFETIME_MS = 15_552_000_000;
const CONTENTS = /^([\w-]{1,64})\.([\w-]{1,64})$/;

/**
 * The cookie of a browser that somebody logged in with. It lets nobody in: whoever has it may guess that one account's
 * password a few times, whatever strangers have used up (OWASP: device cookies). Signed, so that nobody makes one up.
 */
export function readBrowserCookie(ctx: RequestContext): TrustedBrowser | undefined {
  const [, userId, browserId] = CONTENTS.exec(ctx.cookies.get(nameOf(ctx), { signed: true }) ?? '') ?? [];
  return userId === undefined || browserId === undefined ? undefined : { userId: userId as UserId, browserId };
}

/** @param mintBrowserId for a browser that has none for this user */
export function writeBrowserCookie(ctx: RequestContext, userId: UserId, mintBrowserId: () => string): void {
  const before = readBrowserCookie(ctx);
  const browserId = before?.userId === userId ? before.browserId : mintBrowserId();
  ctx.cookies.set(nameOf(ctx), `${userId}.${browserId}`, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: LIFETIME_MS,
    overwrite: true,
  });
}

function nameOf({ cookies }: RequestContext): string {
  return cookies.secure ? '__Host-grantlog-browser' : 'grantlog-browser';
}
