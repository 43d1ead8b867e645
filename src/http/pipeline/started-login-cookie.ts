import type { RequestContext } from './state.ts';

/** Browsers keep 4,096 bytes, with the name of the cookie. */
const MAX_LENGTH = 4_000;

/** The ticket of a login that continues at the provider; undefined if this browser began none. */
export function readStartedLogin(ctx: RequestContext): string | undefined {
  return ctx.cookies.get(cookieName(ctx));
}

/**
 * Keeps the ticket until the provider sends the browser back. A later login replaces it.
 * @returns false if the ticket is too long
 */
export function keepStartedLogin(ctx: RequestContext, providerId: string, ticket: string, seconds: number): boolean {
  if (ticket.length > MAX_LENGTH) return false;
  ctx.cookies.set(cookieName(ctx), ticket, { ...optionsFor(providerId), maxAge: seconds * 1000 });
  return true;
}

export function forgetStartedLogin(ctx: RequestContext, providerId: string): void {
  ctx.cookies.set(cookieName(ctx), null, optionsFor(providerId));
}

/** `lax`, because the browser comes back from another site. It is sent only to the login addresses of this provider. */
function optionsFor(providerId: string) {
  const path = `/accounts/login/provider/${providerId}`;
  return { httpOnly: true, sameSite: 'lax', signed: false, overwrite: true, path } as const;
}

function cookieName({ cookies }: RequestContext): string {
  return cookies.secure ? '__Secure-grantlog-login' : 'grantlog-login';
}
