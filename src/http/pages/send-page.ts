import type { RequestContext } from '../pipeline/state.ts';

/** The destinations of the page's forms: only this server, or also clients and providers that it redirects to. */
export type FormTarget = 'here' | 'anywhere';

/**
 * Sends a page with a strict content security policy.
 * @param formTarget with `anywhere`, the policy has no `form-action`. Chromium applies that directive to all redirects
 *   after a form post, including the client's own. The directive cannot list IPv6 addresses, so no list would allow
 *   every client to receive its code
 */
export function sendPage(ctx: RequestContext, html: string, formTarget: FormTarget = 'here'): void {
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', contentSecurityPolicy(formTarget));
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  // With this header, a client that opened this page in a popup would lose its reference to the popup.
  if (formTarget === 'here') ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
  ctx.body = html;
}

/** Allows the page passed to `sendPage` to frame pages of this server, if the headers of those pages permit it. */
export function allowOwnFrames(ctx: RequestContext): void {
  ctx.set('Content-Security-Policy', `${ctx.response.get('Content-Security-Policy')}; frame-src 'self'`);
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
