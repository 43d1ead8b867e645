import type { RequestContext } from './state.ts';

/** Where a page's forms may lead besides this server itself; 'anywhere' where that is not known beforehand. */
export type FormTargets = readonly string[] | 'anywhere';

/**
 * Answers with a page that runs nothing of anybody else's and cannot be framed.
 * @param formTargets Chromium applies `form-action` to the redirects after a form post, too: the
 *   consent page must name the client's origin
 */
export function sendPage(ctx: RequestContext, html: string, formTargets: FormTargets = []): void {
  ctx.type = 'html';
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Security-Policy', contentSecurityPolicy(formTargets));
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('X-Frame-Options', 'DENY');
  ctx.body = html;
}

function contentSecurityPolicy(formTargets: FormTargets): string {
  const formAction = formTargets === 'anywhere' ? [] : [`form-action ${["'self'", ...formTargets].join(' ')}`];
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...formAction,
  ].join('; ');
}
