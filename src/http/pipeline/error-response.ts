import { TooManyAttempts } from '../../platform/limits/too-many-attempts.ts';
import { LastAdministrator } from '../../accounts/last-administrator.ts';
import { DecisionOutdated, LogUnavailable } from '../../event-store/event-log.ts';
import { isDiskFull, OutOfSpace } from '../../event-store/out-of-space.ts';
import { AuthorizationRefused, UnusableAuthorizationRequest } from '../../oauth/endpoints/authorization-request.ts';
import { KeyStillStored } from '../../platform/keys/key-removal.ts';
import { HashingOverloaded } from '../../platform/hashing/hashing-overloaded.ts';
import { OAuthError } from '../../oauth/endpoints/errors.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { Refusal } from '../../oauth/refusals/refusal.ts';
import { findRateLimitError, warnAboutRateLimit } from './rate-limit-warning.ts';
import { pageContextFor } from '../pages/page-context.ts';
import { conflictingChange, notFound, PageError } from './page-error.ts';
import { createRefusalThrottle } from './refusal-throttle.ts';
import type { RefusalRecorder } from './refusal-recorder.ts';
import type { PageContext, Pages } from '../pages/render.ts';
import { header, validateHead, traceparentOf } from './request-head.ts';
import { sendPage } from '../pages/send-page.ts';
import type { Handler, RequestContext } from './state.ts';
import { STRICT_HEADERS } from './response-headers.ts';
import type { WebSession } from './web-session.ts';

/** Where what nobody expected is written down; and, where there is a place for it, what an operator may want to look at. */
export interface ErrorLog {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
  debug?(details: Readonly<Record<string, unknown>>, message: string): void;
  warn?(details: Readonly<Record<string, unknown>>, message: string): void;
}

export interface ErrorResponseParts {
  readonly pages: Pick<Pages, 'error'>;
  readonly log: ErrorLog;
  readonly mintRequestId: () => string;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly refusals: RefusalRecorder;
  readonly ticks: Ticks;
  /** Where the browser takes a refusal to the client. */
  readonly refusalAddress: (refused: AuthorizationRefused) => string;
}

/**
 * The only place where an error becomes a response; it also gives each request its id. Known
 * errors are answered in their protocol's words, all others with a bare 500 that carries the id.
 */
export function errorResponse(parts: ErrorResponseParts): Handler {
  const refusalPace = createRefusalThrottle(parts.ticks);
  return async (ctx, next) => {
    ctx.state.requestId = parts.mintRequestId();
    ctx.state.metadata = { requestId: ctx.state.requestId, traceparent: traceparentOf(ctx) };
    ctx.state.recordDenial = (denial) => parts.refusals.denied(ctx, denial);
    try {
      validateHead(ctx);
      await next();
      answerUnanswered(ctx, parts);
    } catch (error) {
      if (findRateLimitError(error) !== undefined || error instanceof HashingOverloaded) await refusalPace();
      answerError(ctx, error, parts);
    }
    if (!ctx.res.headersSent) ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
  };
}

/** What no route took, or only for other methods. */
function answerUnanswered(ctx: RequestContext, parts: ErrorResponseParts): void {
  if (ctx.body !== undefined && ctx.body !== null) return;
  if (ctx.status === 404) answerPage(ctx, notFound(), parts);
  if (ctx.status === 405 || ctx.status === 501) answerMethodNotAllowed(ctx, parts);
}

function answerMethodNotAllowed(ctx: RequestContext, parts: ErrorResponseParts): void {
  const allowed = ctx.response.get('Allow');
  if (ctx.path.startsWith('/o/') && FOR_PROGRAMS.test(ctx.path)) {
    answerOAuthError(
      ctx,
      new OAuthError(
        'invalid_request',
        `the method must be one of ${allowed}`,
        { rule: 'method-not-allowed', allowed },
        405,
      ),
      parts,
    );
  } else {
    answerRefusedPage(
      ctx,
      new PageError(405, 'Method not allowed', `This address takes ${allowed}.`, '', {
        rule: 'method-not-allowed',
        allowed,
      }),
      parts,
    );
  }
}

function answerError(ctx: RequestContext, error: unknown, parts: ErrorResponseParts): void {
  warnAboutRateLimit(ctx, error, parts);
  if (error instanceof OAuthError) answerOAuthError(ctx, error, parts);
  else if (error instanceof AuthorizationRefused) answerByRedirect(ctx, error, parts);
  else if (error instanceof UnusableAuthorizationRequest) answerRefusedPage(ctx, unusable(error), parts);
  else if (error instanceof PageError) answerRefusedPage(ctx, error, parts);
  else if (error instanceof TooManyAttempts) answerTooManyAttempts(ctx, error, parts);
  else if (error instanceof HashingOverloaded) answerOverloaded(ctx, error, parts);
  else if (error instanceof OutOfSpace) answerOutOfSpace(ctx, parts);
  else if (error instanceof LastAdministrator) answerPage(ctx, lastAdministrator(), parts);
  else if (error instanceof KeyStillStored) answerPage(ctx, keyStillStored(error), parts);
  else if (error instanceof DecisionOutdated) answerOutdated(ctx, parts);
  else answerUnexpected(ctx, error, parts);
}

/** RFC 6749 §5.2. A 401 must name a scheme (RFC 9110 §11.6.1): the one the caller tried, or Basic. */
function answerOAuthError(ctx: RequestContext, error: OAuthError, { refusals }: ErrorResponseParts): void {
  refusals.record(ctx, error.refusal, error.code);
  ctx.state.errorCode = error.code;
  ctx.status = error.status;
  ctx.set(STRICT_HEADERS);
  ctx.set('Pragma', 'no-cache');
  if (error.status === 401) {
    const bearer = /^bearer\b/i.test(header(ctx, 'authorization') ?? '');
    ctx.set(
      'WWW-Authenticate',
      bearer ? 'Bearer realm="grantlog", error="invalid_token"' : 'Basic realm="grantlog", charset="UTF-8"',
    );
  }
  if (error.status === 413) ctx.set('Connection', 'close'); // the rest of the body was not read
  ctx.body = { error: error.code, error_description: error.message };
}

function answerByRedirect(ctx: RequestContext, refused: AuthorizationRefused, parts: ErrorResponseParts): void {
  parts.refusals.record(ctx, refused.refusal, refused.code);
  ctx.state.errorCode = refused.code;
  ctx.redirect(parts.refusalAddress(refused));
}

function answerRefusedPage(ctx: RequestContext, page: PageError, parts: ErrorResponseParts): void {
  if (page.refusal !== undefined) parts.refusals.record(ctx, page.refusal);
  answerPage(ctx, page, parts);
}

function unusable({ message, refusal }: UnusableAuthorizationRequest): PageError {
  return new PageError(
    400,
    'This request cannot be answered',
    message,
    'Nothing was authorized. Go back to the application that sent you here, and tell its developer.',
    refusal,
  );
}

/**
 * RFC 6585 §4. RFC 6749 §5.2 has no code for it: `temporarily_unavailable` is the one of §4.1.2.1 that says "later",
 * where `invalid_client` or `invalid_grant` would have a program throw away credentials that may be good.
 */
function answerTooManyAttempts(ctx: RequestContext, error: TooManyAttempts, parts: ErrorResponseParts): void {
  const { limit, retryAfterSeconds } = error;
  const refusal: Refusal = { rule: 'rate-limit', limit, retryAfterSeconds };
  ctx.set('Retry-After', String(retryAfterSeconds));
  if (FOR_CLIENTS.test(ctx.path)) {
    answerOAuthError(
      ctx,
      new OAuthError(
        'temporarily_unavailable',
        `too many attempts; try again in ${retryAfterSeconds} seconds`,
        refusal,
        429,
      ),
      parts,
    );
    return;
  }
  const minutes = Math.ceil(retryAfterSeconds / 60);
  answerRefusedPage(
    ctx,
    new PageError(
      429,
      'Too many attempts',
      'This was asked for too often, so it was not done.',
      `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
      refusal,
    ),
    parts,
  );
}

/** Without a line in the log, which a crowd of strangers would fill. */
function answerOverloaded(
  ctx: RequestContext,
  { retryAfterSeconds }: HashingOverloaded,
  parts: ErrorResponseParts,
): void {
  ctx.set('Retry-After', String(retryAfterSeconds));
  const refusal: Refusal = { rule: 'overloaded', retryAfterSeconds };
  const message = 'More passwords wait to be checked than can be in time.';
  const whatToDo = `Try again in ${retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`}.`;
  answerRefusedPage(ctx, new PageError(503, 'Too many at once', message, whatToDo, refusal), parts);
}

function lastAdministrator(): PageError {
  return new PageError(
    409,
    'The last administrator stays',
    'Nobody else who can log in could administer this server, so nothing was changed.',
    'Make somebody else an administrator first, then try again.',
  );
}

/** What was asked for is done, but for the key's file. RFC 9110 §15.3.3. */
function keyStillStored({ owner }: KeyStillStored): PageError {
  return new PageError(
    202,
    'Recorded, and being finished',
    `The end of the ${owner} is recorded and in force. Its key is still on the disk.`,
    'The server removes the key as soon as the disk can be written. Nobody has to do this again.',
  );
}

/** Somebody has to make room, which takes longer than a few seconds. */
const OUT_OF_SPACE_RETRY_SECONDS = 30;

/** Not logged for each request: lines of the log take space as well. */
function answerOutOfSpace(ctx: RequestContext, parts: ErrorResponseParts): void {
  ctx.set('Retry-After', String(OUT_OF_SPACE_RETRY_SECONDS));
  const message = 'The disk of this server is almost full, so nothing can be recorded. Nothing was changed.';
  answerPage(ctx, new PageError(503, 'Not available', message, 'Try again later, or tell the operator.'), parts);
}

/** Something else was recorded first that this request would have had to know of. */
function answerOutdated(ctx: RequestContext, parts: ErrorResponseParts): void {
  const status = FOR_CLIENTS.test(ctx.path) ? 503 : 409;
  if (status === 503) ctx.set('Retry-After', '1');
  answerPage(ctx, conflictingChange(status, FOR_PROGRAMS.test(ctx.path) ? 'program' : 'user'), parts);
}

function answerUnexpected(ctx: RequestContext, error: unknown, parts: ErrorResponseParts): void {
  const { requestId } = ctx.state;
  const unavailable = error instanceof LogUnavailable || isOutOfSpace(error);
  parts.log.error({ requestId, method: ctx.method, path: ctx.path, err: error }, 'request failed');
  if (unavailable) ctx.set('Retry-After', '5');
  const page = unavailable
    ? new PageError(503, 'Not available', 'Nothing can be recorded at the moment.', 'Try again in a few seconds.')
    : new PageError(
        500,
        'Something went wrong',
        'The server met an error that it did not expect.',
        'Try again; if it stays, tell the operator the request id.',
      );
  answerPage(ctx, page, parts);
}

/** A file beside the log could not be written, so nothing was recorded either. */
function isOutOfSpace(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof Error && 'code' in error && error.code === 'EFBIG');
}

/** A page for those who read pages, JSON for the rest; for clients in the words of RFC 6749 §4.1.2.1, where §5.2 has none. */
function answerPage(
  ctx: RequestContext,
  { status, title, message, advice: whatToDo }: PageError,
  { pages }: ErrorResponseParts,
): void {
  const { requestId } = ctx.state;
  const { method } = ctx;
  ctx.status = status;
  ctx.set(STRICT_HEADERS); // none of the routers behind answered
  if (status === 413) ctx.set('Connection', 'close'); // the rest of the body was not read
  // A program learns from a 500 that it failed; what to do about it is for people.
  const text = status === 500 ? message : [message, whatToDo].filter(Boolean).join(' ');
  if (status !== 404 && FOR_CLIENTS.test(ctx.path)) {
    ctx.set('Pragma', 'no-cache');
    ctx.body = { error: oauthErrorOf(status), error_description: text, request_id: requestId };
    return;
  }
  if (method !== 'HEAD' && !wantsPage(ctx)) {
    ctx.body = { detail: text, request_id: requestId };
    return;
  }
  sendPage(ctx, pages.error({ status, title, message, whatToDo, requestId, ...frameOf(ctx, status) }));
}

function oauthErrorOf(status: number): string {
  if (status < 500) return 'invalid_request';
  return status === 503 ? 'temporarily_unavailable' : 'server_error';
}

/** Whoever is logged in stays so on an error page, unless finding out could be what failed. */
function frameOf(ctx: RequestContext, status: number): PageContext {
  const session: WebSession | undefined = ctx.state.webSession; // some errors come before it
  const person = status < 500 ? session?.loggedInUser() : undefined;
  return person === undefined
    ? { user: null, csrfToken: '', path: ctx.path, flash: null }
    : pageContextFor(ctx, person);
}

/** Endpoints at which clients authenticate: their errors are RFC 6749's. */
const FOR_CLIENTS = /^\/o\/(?:token|revoke_token|introspect)(?:\/|$)/;
/** Endpoints that only programs call: never a page, whatever they say they accept. */
const FOR_PROGRAMS =
  /^\/(?:o\/(?:log|events|token|revoke_token|introspect)|users|groups|healthz|readyz|metrics|openapi\.json|\.well-known)(?:\/|$)/;
/** Addresses that people open: a page unless JSON was asked for. */
const FOR_PEOPLE = /^\/(?:$|accounts\/|audit\/|admin\/|o\/)/;

function wantsPage(ctx: RequestContext): boolean {
  if (FOR_PROGRAMS.test(ctx.path)) return false;
  return (FOR_PEOPLE.test(ctx.path) ? ctx.accepts('html', 'json') : ctx.accepts('json', 'html')) === 'html';
}
