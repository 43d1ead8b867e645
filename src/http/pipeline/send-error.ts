import type { OAuthError } from '../../oauth/endpoints/errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { pageContextFor } from '../pages/page-context.ts';
import type { Pages } from '../pages/render.ts';
import type { PageContext } from '../pages/page-context.ts';
import { sendPage } from '../pages/send-page.ts';
import type { PageError } from './page-error.ts';
import { header } from './request-head.ts';
import { STRICT_HEADERS } from './response-headers.ts';
import type { RequestContext } from './state.ts';
import type { WebSession } from './web-session.ts';

export type ErrorPages = Pick<Pages, 'error'>;

/** RFC 6749 §5.2. A 401 must name a scheme (RFC 9110 §11.6.1): the one that the caller tried, or Basic. */
export function sendOAuthError(ctx: RequestContext, { status, code, message }: OAuthError): void {
  ctx.status = status;
  ctx.set(STRICT_HEADERS);
  ctx.set('Pragma', 'no-cache');
  if (status === 401) {
    const isBearer = /^bearer\b/i.test(header(ctx, 'authorization') ?? '');
    ctx.set(
      'WWW-Authenticate',
      isBearer ? 'Bearer realm="grantlog", error="invalid_token"' : 'Basic realm="grantlog", charset="UTF-8"',
    );
  }
  closeUnreadBody(ctx);
  ctx.body = { error: code, error_description: message };
}

/**
 * Sends a page to browsers and JSON to programs. At client endpoints, the JSON has the error codes of RFC 6749
 * §4.1.2.1, because §5.2 has none for these errors.
 */
export function sendErrorPage(
  ctx: RequestContext,
  { status, title, message, advice }: PageError,
  endpoint: Endpoint | undefined,
  pages: ErrorPages,
): void {
  const { requestId } = ctx.state;
  ctx.status = status;
  ctx.set(STRICT_HEADERS); // no mounted router has responded
  closeUnreadBody(ctx);
  // Only users need advice about a 500. A program only needs to know that the server failed.
  const text = status === 500 ? message : [message, advice].filter(Boolean).join(' ');
  if (status !== 404 && endpoint?.authentication === 'client') {
    ctx.set('Pragma', 'no-cache');
    ctx.body = { error: errorCode(status), error_description: text, request_id: requestId };
    return;
  }
  if (ctx.method !== 'HEAD' && !wantsPage(ctx, endpoint)) {
    ctx.body = { detail: text, request_id: requestId };
    return;
  }
  sendPage(ctx, pages.error({ status, title, message, whatToDo: advice, requestId, ...errorPageContext(ctx, status) }));
}

/** After a 413 the rest of the body has not been read. */
function closeUnreadBody(ctx: RequestContext): void {
  if (ctx.status === 413) ctx.set('Connection', 'close');
}

function errorCode(status: number): string {
  if (status < 500) return 'invalid_request';
  return status === 503 ? 'temporarily_unavailable' : 'server_error';
}

/** Shows the logged-in user, unless looking that up may be what failed. */
function errorPageContext(ctx: RequestContext, status: number): PageContext {
  const session: WebSession | undefined = ctx.state.webSession; // not set for errors before that step
  const user = status < 500 ? session?.loggedInUser() : undefined;
  return user === undefined ? { user: null, csrfToken: '', path: ctx.path, flash: null } : pageContextFor(ctx, user);
}

/**
 * Program endpoints never respond with a page, whatever the request accepts. At unknown addresses, JSON is the default.
 */
function wantsPage(ctx: RequestContext, endpoint: Endpoint | undefined): boolean {
  if (endpoint === undefined) return ctx.accepts('json', 'html') === 'html';
  return endpoint.kind === 'page' && ctx.accepts('html', 'json') === 'html';
}
