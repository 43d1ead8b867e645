import type { TrustedBrowser } from '../../accounts/guarded-passwords.ts';
import type { UserId } from '../../domain/values.ts';
import type { RequestContext } from './state.ts';

/** 180 days. */
const LIFETIME_MS = 15_552_000_000;
const COOKIE_VALUE = /^([\w-]{1,64})\.([\w-]{1,64})$/;

/**
 * Returns the user and browser that the device cookie (OWASP) identifies, or undefined without a valid cookie. Even
 * after strangers have used up an account's limit of password attempts, a browser in which the user has logged in
 * before is allowed a few more. The cookie is signed, so it cannot be forged, and it does not log anyone in.
 */
export function readTrustedBrowser(ctx: RequestContext): TrustedBrowser | undefined {
  const [, userId, browserId] = COOKIE_VALUE.exec(ctx.cookies.get(cookieName(ctx), { signed: true }) ?? '') ?? [];
  return userId === undefined || browserId === undefined ? undefined : { userId: userId as UserId, browserId };
}

/**
 * Sets the device cookie, which marks this browser as one in which the user has logged in.
 * @param mintBrowserId called if the browser has no id for this user yet
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
