import type { TrustedBrowser } from '../../accounts/guarded-passwords.ts';
import type { UserId } from '../../domain/values.ts';
import type { RequestContext } from './state.ts';

/** Half a year: whoever comes back later has to do with what the address has left. */
const LIFETIME_MS = 15_552_000_000;
const COOKIE_VALUE = /^([\w-]{1,64})\.([\w-]{1,64})$/;

/**
 * The cookie of a browser that somebody logged in with. It lets nobody in: whoever has it may guess that one account's
 * password a few times, whatever strangers have used up (OWASP: device cookies). Signed, so that nobody makes one up.
 */
export function readTrustedBrowser(ctx: RequestContext): TrustedBrowser | undefined {
  const [, userId, browserId] = COOKIE_VALUE.exec(ctx.cookies.get(cookieName(ctx), { signed: true }) ?? '') ?? [];
  return userId === undefined || browserId === undefined ? undefined : { userId: userId as UserId, browserId };
}

/** @param mintBrowserId for a browser that has none for this user */
export function rememberBrowser(ctx: RequestContext, userId: UserId, mintBrowserId: () => string): void {
  const before = readTrustedBrowser(ctx);
  const browserId = before?.userId === userId ? before.browserId : mintBrowserId();
  ctx.cookies.set(cookieName(ctx), `${userId}.${browserId}`, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: LIFETIME_MS,
    overwrite: true,
  });
}

function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Host-grantlog-browser' : 'grantlog-browser';
}
