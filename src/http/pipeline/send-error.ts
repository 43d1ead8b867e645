import type { Role } from '../../domain/events.ts';
import { mayAdminister, mayAudit } from '../../domain/roles.ts';
import { errorCodeFor } from './error-codes.ts';
import { toExplanation, type RefusedRequest } from '../../oauth/refusals/explanations.ts';
import { english } from '../../language/english.ts';
import { message } from '../../language/message.ts';
import type { OAuthError } from '../../oauth/endpoints/errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { pageContextFor } from '../pages/page-context.ts';
import { refusalLocals, refusalPath } from '../pages/refusals/refusal-locals.ts';
import type { MaySeeRefusal } from '../pages/refusals/refusal-readers.ts';
import type { ErrorLocals, Pages } from '../pages/render.ts';
import type { PageContext } from '../pages/page-context.ts';
import { sendPage } from '../pages/send-page.ts';
import type { ErrorOffer, PageError } from './page-error.ts';
import { readerLanguage } from './reader-language.ts';
import { readerTimeZone } from './reader-time-zone.ts';
import { header, referringPage } from './request-head.ts';
import { STRICT_HEADERS } from './response-headers.ts';
import type { RequestContext } from './state.ts';
import { loginUrlWithNext, safeNext } from './require-login.ts';
import type { LoggedInUser, WebSession } from './web-session.ts';

export type ErrorPages = Pick<Pages, 'error'>;

/** Responds with an OAuth error (RFC 6749 §5.2). */
export function sendOAuthError(ctx: RequestContext, error: OAuthError): void {
  const { status, code } = error;
  ctx.status = status;
  ctx.set(STRICT_HEADERS);
  ctx.set('Pragma', 'no-cache');
  if (status === 401) ctx.set('WWW-Authenticate', challengeFor(code, header(ctx, 'authorization')));
  closeUnreadBody(ctx);
  ctx.body = { error: code, error_description: error.message };
}

/**
 * Returns the challenge that a 401 must contain (RFC 9110 §11.6.1). The scheme is Bearer if the caller used that scheme
 * or the operation needs an access token, otherwise Basic. If the request has no credentials, the challenge has no
 * error code (RFC 6750 §3.1).
 */
function challengeFor(code: OAuthError['code'], authorization: string | undefined): string {
  if (/^bearer\b/i.test(authorization ?? '')) return 'Bearer realm="grantlog", error="invalid_token"';
  return code === 'invalid_token' ? 'Bearer realm="grantlog"' : 'Basic realm="grantlog", charset="UTF-8"';
}

/**
 * Sends an error page to browsers, and JSON to other callers. At client endpoints, the JSON contains the error codes of
 * RFC 6749 §4.1.2.1, because §5.2 defines none for these errors.
 */
export function sendErrorPage(ctx: RequestContext, error: PageError, deps: ErrorPageDeps): void {
  const { status, title, text, advice, refusal, facts } = error;
  const { endpoint, pages } = deps;
  const { requestId } = ctx.state;
  ctx.status = status;
  ctx.set(STRICT_HEADERS); // even if mounted routers were called: none of them handled the request
  closeUnreadBody(ctx);
  // Only users need advice about a 500. Other callers need to know only that the server failed.
  const description = status === 500 ? error.message : [error.message, english.text(advice)].filter(Boolean).join(' ');
  if (status !== 404 && endpoint?.authentication === 'client') {
    ctx.set('Pragma', 'no-cache');
    ctx.body = { error: authorizationErrorCode(status), error_description: description, request_id: requestId };
    return;
  }
  if (endpoint?.hasErrorCodes === true) {
    ctx.body = { error: errorCodeFor(status), error_description: description, request_id: requestId };
    return;
  }
  if (ctx.method !== 'HEAD' && !wantsPage(ctx, endpoint)) {
    ctx.body = { detail: description, request_id: requestId };
    return;
  }
  const { showFormAgain } = ctx.state;
  if (showFormAgain !== undefined && (refusal?.rule === 'rate-limit' || refusal?.rule === 'overloaded'))
    return showFormAgain(message('error.above-form', { title, advice }), status);
  const page = { status, title, message: text, advice, requestId, facts, ...nextSteps(ctx, error, deps) };
  sendPage(ctx, pages.error({ ...page, ...errorPageContext(ctx, status) }));
}

export interface ErrorPageDeps {
  readonly endpoint: Endpoint | undefined;
  readonly pages: ErrorPages;
  readonly loginUrl: string;
  readonly maySeeRefusal: MaySeeRefusal;
  /** The refusal that was recorded for this error; undefined if nothing was recorded. */
  readonly refusedRequest: RefusedRequest | undefined;
}

/** Returns the explanation of the refusal, if the user may see it, and the links that may help the user. */
function nextSteps(
  ctx: RequestContext,
  { status, offers, link }: PageError,
  { refusedRequest, loginUrl, maySeeRefusal }: ErrorPageDeps,
): Pick<ErrorLocals, 'refusal' | 'explanationHref' | 'loginHref' | 'resetHref' | 'retry' | 'changeHref' | 'link'> {
  const user = loggedInUser(ctx, status)?.user;
  const isReadRequest = ctx.method === 'GET' || ctx.method === 'HEAD';
  const maySee = refusedRequest !== undefined && user !== undefined && maySeeRefusal(user, refusedRequest.clientId);
  // Such a request comes from an application, for an authorization or a logout. The application's developer needs more
  // details than users.
  const isForDeveloper = refusedRequest !== undefined && status === 400 && isReadRequest;
  const explanationHref = maySee || isForDeveloper ? refusalPath(ctx.state.requestId) : null;
  const loginMayHelp = isReadRequest && (status === 403 || (isForDeveloper && user === undefined));
  const offersLogin = offers.includes('login') && user === undefined;
  const loginHref = offersLogin ? loginUrlWithNext(loginUrl, '/') : null;
  return {
    refusal: maySee ? refusalLocals(toExplanation(refusedRequest)) : null,
    changeHref: maySee ? changeHref(refusedRequest) : null,
    explanationHref,
    loginHref: loginMayHelp
      ? loginUrlWithNext(loginUrl, status === 403 ? ctx.url : refusalPath(ctx.state.requestId))
      : loginHref,
    resetHref: offers.includes('new-reset-link') ? '/accounts/forgot/' : null,
    link: link ?? (status === 404 && user !== undefined ? areaLink(ctx.path, user.roles) : null),
    retry: retryOffer(ctx, status, offers),
  };
}

/**
 * Returns the path of the application's settings if an owner's request was refused because of its redirect URI.
 * `isProven` is true only if an owner sent the request.
 */
function changeHref({ refusal: { rule }, clientId, isProven }: RefusedRequest): string | null {
  const concernsUri = rule === 'redirect-uri-not-registered' || rule === 'redirect-uri-not-allowed';
  return concernsUri && isProven && clientId !== null
    ? `/o/applications/${encodeURIComponent(clientId)}/update/`
    : null;
}

/**
 * Returns a link for trying again, because a failed request may succeed later. After a posted form, the link opens the
 * form again instead of sending it again.
 */
function retryOffer(ctx: RequestContext, status: number, offers: readonly ErrorOffer[]): ErrorLocals['retry'] {
  // Only the query cannot be read. The page works without it.
  if (offers.includes('without-query')) return { href: safeNext(ctx.path), text: message('error.without-query') };
  if (!offers.includes('form-again') && status !== 500 && status !== 503) return null;
  if (ctx.method === 'GET' || ctx.method === 'HEAD')
    return { href: safeNext(ctx.url), text: message('error.try-again') };
  const form = referringPage(ctx);
  return form === undefined ? null : { href: safeNext(form), text: message('error.open-form-again') };
}

/** Returns a link to the first page of the area that contains a mistyped URL, if the user may see that area. */
function areaLink(path: string, roles: readonly Role[]): ErrorLocals['link'] {
  if (path.startsWith('/admin/') && mayAdminister(roles)) return { href: '/admin/', text: message('error.dashboard') };
  return path.startsWith('/audit/') && mayAudit(roles) ? { href: '/audit/', text: message('error.events') } : null;
}

/** Closes the connection after a 413, because the rest of the body has not been read. */
function closeUnreadBody(ctx: RequestContext): void {
  if (ctx.status === 413) ctx.set('Connection', 'close');
}

function authorizationErrorCode(status: number): string {
  if (status < 500) return 'invalid_request';
  return status === 503 ? 'temporarily_unavailable' : 'server_error';
}

/** Returns the logged-in user, or undefined after a server error, because the lookup itself may have failed. */
function loggedInUser(ctx: RequestContext, status: number): LoggedInUser | undefined {
  const session: WebSession | undefined = ctx.state.webSession; // not set if an earlier step failed
  return status < 500 ? session?.loggedInUser() : undefined;
}

function errorPageContext(ctx: RequestContext, status: number): PageContext {
  const user = loggedInUser(ctx, status);
  if (user !== undefined) return pageContextFor(ctx, user);
  const reader = { readerLanguage: readerLanguage(ctx), timeZone: readerTimeZone(ctx) };
  // After a server error, the session may be unreadable, so the page shows the user who was admitted earlier. The page
  // has no forms.
  const admittedUser = status < 500 ? undefined : ctx.state.admittedUser;
  return { user: admittedUser ?? null, csrfToken: '', path: ctx.path, flash: null, ...reader };
}

/**
 * Reports whether to respond with a page. The choice depends on `Accept`, but endpoints for API clients never respond
 * with a page. The default is a page, or JSON at an unknown URL.
 */
function wantsPage(ctx: RequestContext, endpoint: Endpoint | undefined): boolean {
  if (endpoint === undefined) return ctx.accepts('json', 'html') === 'html';
  return endpoint.kind === 'page' && ctx.accepts('html', 'json') === 'html';
}
