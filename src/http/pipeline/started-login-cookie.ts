import type { RequestContext } from './state.ts';

/** The maximum length of a ticket. Browsers store at most 4,096 bytes per cookie, including the cookie's name. */
const MAX_LENGTH = 4_000;

/** Returns the ticket of the login that this browser started at a provider, or undefined if it started none. */
export function readStartedLogin(ctx: RequestContext): string | undefined {
  return ctx.cookies.get(cookieName(ctx));
}

/**
 * Stores the ticket until the provider sends the browser back, for at most `seconds`. A later login at the same
 * provider replaces the ticket.
 * @returns false if the ticket is too long
 */
export function storeStartedLogin(ctx: RequestContext, providerId: string, ticket: string, seconds: number): boolean {
  if (ticket.length > MAX_LENGTH) return false;
  ctx.cookies.set(cookieName(ctx), ticket, { ...optionsFor(providerId), maxAge: seconds * 1000 });
  return true;
}

export function removeStartedLogin(ctx: RequestContext, providerId: string): void {
  ctx.cookies.set(cookieName(ctx), null, optionsFor(providerId));
}

/**
 * Returns the cookie options: `lax`, because the browser comes back from a different site, and a path that restricts
 * the cookie to this provider's login URLs.
 */
function optionsFor(providerId: string) {
  const path = `/accounts/login/provider/${providerId}`;
  return { httpOnly: true, sameSite: 'lax', signed: false, overwrite: true, path } as const;
}

function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Secure-grantlog-login' : 'grantlog-login';
}
