import type { TrustedBrowser } from '../../accounts/guarded-passwords.ts';
import type { UserId } from '../../domain/values.ts';
import type { RequestContext } from './state.ts';

/** Half a year. */
const LIFETIME_MS = 15_552_000_000;
const COOKIE_VALUE = /^([\w-]{1,64})\.([\w-]{1,64})$/;

/**
 * Returns the user and browser from the device cookie (OWASP), if any. A browser that a user has
 * logged in with may try that account's password a few times even after strangers have used up the limit. The cookie
 * does not log anyone in. It is signed, so it cannot be forged.
 */
export function readTrustedBrowser(ctx: RequestContext): TrustedBrowser | undefined {
  const [, userId, browserId] = COOKIE_VALUE.exec(ctx.cookies.get(cookieName(ctx), { signed: true }) ?? '') ?? [];
  return userId === undefined || browserId === undefined ? undefined : { userId: userId as UserId, browserId };
}

/**
 * Marks this browser as one that the user has logged in with.
 * @param mintBrowserId called for a browser that has no id for this user
 */
export function rememberBrowser(ctx: RequestContext, userId: UserId, mintBrowserId: () => string): void {
  const existing = readTrustedBrowser(ctx);
  const browserId = existing?.userId === userId ? existing.browserId : mintBrowserId();
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
