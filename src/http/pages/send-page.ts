import type { RequestContext } from '../pipeline/state.ts';

/** Where a page's forms may lead: to this server alone, or by its redirect to a client and wherever that goes on to. */
export type FormTarget = 'here' | 'client';

/**
 * Answers with a page that runs nothing of anybody else's and cannot be framed.
 * @param formTarget Chromium applies `form-action` to every redirect that follows a form post, the
 *   client's own included, and its sources cannot name an IPv6 address: no list would let each client
 *   receive its code
 */
export function sendPage(ctx: RequestContext, html: string, formTarget: FormTarget = 'here'): void {
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', contentSecurityPolicy(formTarget));
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  // A client that opened a pop-up to log in would lose it for good: it hears from it once it is back at the client.
  if (formTarget === 'here') ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
  ctx.body = html;
}

function contentSecurityPolicy(formTarget: FormTarget): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...(formTarget === 'here' ? ["form-action 'self'"] : []),
  ].join('; ');
}
