import { HashingOverloadedError } from '../../platform/hashing/hashing-overloaded.ts';
import { AuthorizationError } from '../../oauth/endpoints/authorization-request.ts';
import { redirectUrl, type AuthorizationResponse } from '../../oauth/endpoints/authorization-response.ts';
import { OAuthError, oauthError } from '../../oauth/endpoints/errors.ts';
import { TestModeError } from '../../oauth/endpoints/test-mode.ts';
import { TooManyAttemptsError } from '../../platform/limits/too-many-attempts.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { Endpoint } from '../endpoint.ts';
import { pageContextFor } from '../pages/page-context.ts';
import type { MaySeeRefusal } from '../pages/refusals/refusal-readers.ts';
import type { Pages } from '../pages/render.ts';
import { sendPage } from '../pages/send-page.ts';
import { destinationOf } from './destination.ts';
import { knownErrorMessage, rateLimitError, unexpectedErrorMessage } from './known-errors.ts';
import { notFound, PageError } from './page-error.ts';
import type { RefusalRecorder } from './refusal-recorder.ts';
import { createRefusalThrottle } from './refusal-throttle.ts';
import { traceparentOf, validateHead } from './request-head.ts';
import { sendAuthorizationResponse } from './send-authorization-response.ts';
import { sendErrorPage, sendOAuthError, type ErrorPages } from './send-error.ts';
import type { Handler, RequestContext } from './state.ts';
import { message } from '../../language/message.ts';

/** Receives unexpected errors and, through its optional methods, details for the operator. */
export interface ErrorLog {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
  debug?(details: Readonly<Record<string, unknown>>, message: string): void;
  warn?(details: Readonly<Record<string, unknown>>, message: string): void;
}

export interface ErrorResponseDeps {
  readonly pages: ErrorPages & Pick<Pages, 'formPost' | 'testMode'>;
  readonly log: ErrorLog;
  readonly mintRequestId: () => string;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly refusals: RefusalRecorder;
  readonly maySeeRefusal: MaySeeRefusal;
  readonly loginUrl: string;
  readonly ticks: Ticks;
  /** Returns the response that reports a refusal to the client. */
  readonly refusalResponse: (error: AuthorizationError) => Promise<AuthorizationResponse>;
  /** Returns the endpoint whose error format applies before a request is dispatched, or if no route matches it. */
  readonly endpointNear: (path: string) => Endpoint | undefined;
}

/**
 * Returns a step that gives each request its id, and turns every error into a response. The response to an expected
 * error explains the problem. Any other error is logged, and becomes a 500, or a 503 if the server cannot save data.
 */
export function errorResponse(deps: ErrorResponseDeps): Handler {
  const throttleRefusals = createRefusalThrottle(deps.ticks);
  return async (ctx, next) => {
    ctx.state.requestId = deps.mintRequestId();
    ctx.state.metadata = { requestId: ctx.state.requestId, traceparent: traceparentOf(ctx) };
    ctx.state.recordDenial = (denial) => deps.refusals.recordDenial(ctx, denial);
    try {
      validateHead(ctx);
      await next();
      respondIfUnhandled(ctx, deps);
    } catch (error) {
      if (findRateLimitError(error) !== undefined || error instanceof HashingOverloadedError) await throttleRefusals();
      await respondWithError(ctx, error, deps);
    }
    if (!ctx.res.headersSent) ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
  };
}

/** Responds with 404 or 405 if no route handled the request. @koa/router sets 501 for unknown methods. */
function respondIfUnhandled(ctx: RequestContext, deps: ErrorResponseDeps): void {
  if (ctx.body !== undefined && ctx.body !== null) return;
  if (ctx.status === 404) respondWithPageError(ctx, notFound(), deps);
  if (ctx.status === 405 || ctx.status === 501) respondWithMethodNotAllowed(ctx, deps);
}

function respondWithMethodNotAllowed(ctx: RequestContext, deps: ErrorResponseDeps): void {
  const allowedMethods = ctx.response.get('Allow');
  const refusal = { rule: 'method-not-allowed', allowed: allowedMethods, seen: ctx.method } as const;
  const kind = findEndpoint(ctx, deps)?.kind;
  if (kind === 'protocol') return respondWithOAuthError(ctx, oauthError(refusal), deps);
  // Opening the URL of a form in a browser is not recorded as a refusal, because it concerns no application.
  const isOpenedForm = kind === 'page' && ['GET', 'HEAD'].includes(ctx.method);
  const text = message('error.method.text', { methods: allowedMethods });
  const page = new PageError(405, message('error.method'), text, '', isOpenedForm ? undefined : refusal);
  respondWithPageError(ctx, page, deps);
}

async function respondWithError(ctx: RequestContext, error: unknown, deps: ErrorResponseDeps): Promise<void> {
  warnAboutRateLimit(ctx, error, deps);
  if (error instanceof OAuthError) return respondWithOAuthError(ctx, error, deps);
  if (error instanceof AuthorizationError || error instanceof TestModeError) {
    try {
      return await respondToAuthorizationRequest(ctx, error, deps);
    } catch (signingError) {
      return respondWithError(ctx, signingError, deps);
    }
  }
  const endpoint = findEndpoint(ctx, deps);
  if (error instanceof TooManyAttemptsError && endpoint?.authentication === 'client') {
    ctx.set('Retry-After', String(error.retryAfterSeconds));
    return respondWithOAuthError(ctx, rateLimitError(error), deps);
  }
  const { page, retryAfterSeconds } = knownErrorMessage(error, endpoint) ?? logUnexpectedError(ctx, error, deps);
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  respondWithPageError(ctx, page, deps);
}

function logUnexpectedError(ctx: RequestContext, error: unknown, { log }: ErrorResponseDeps) {
  const { method, path, state } = ctx;
  log.error({ requestId: state.requestId, method, path, err: error }, 'request failed');
  return unexpectedErrorMessage(error);
}

function respondWithOAuthError(ctx: RequestContext, error: OAuthError, { refusals }: ErrorResponseDeps): void {
  refusals.record(ctx, error.refusal, error.code);
  ctx.state.errorCode = error.code;
  sendOAuthError(ctx, error);
}

/**
 * Sends the refusal to the client, or explains it to the user if the reason is that the client is in test mode.
 * @throws Error if the response cannot be signed
 */
async function respondToAuthorizationRequest(
  ctx: RequestContext,
  error: AuthorizationError | TestModeError,
  deps: ErrorResponseDeps,
): Promise<void> {
  const refusedAuthorization = error instanceof TestModeError ? error.authorizationError : error;
  deps.refusals.record(ctx, refusedAuthorization.refusal, refusedAuthorization.code);
  ctx.state.errorCode = refusedAuthorization.code;
  const response = await deps.refusalResponse(refusedAuthorization);
  if (error instanceof TestModeError) respondInTestMode(ctx, error, response, deps);
  else sendAuthorizationResponse(ctx, response, deps.pages);
}

/**
 * Explains test mode to a logged-in user, because the application would not. If nobody is logged in, the browser
 * returns to the application as after any other error.
 */
function respondInTestMode(
  ctx: RequestContext,
  { application }: TestModeError,
  response: AuthorizationResponse,
  { pages }: ErrorResponseDeps,
): void {
  const host = destinationOf(response.redirectUri);
  const user = ctx.state.webSession.loggedInUser();
  if (user === undefined) return sendAuthorizationResponse(ctx, response, pages);
  ctx.status = 403;
  const backLink =
    response.mode === 'form_post'
      ? { address: response.redirectUri, fields: response.parameters }
      : { address: redirectUrl(response), fields: null };
  sendPage(ctx, pages.testMode({ ...pageContextFor(ctx, user), application, host, back: backLink }), 'anywhere');
  ctx.set('Referrer-Policy', 'no-referrer');
}

function respondWithPageError(ctx: RequestContext, page: PageError, deps: ErrorResponseDeps): void {
  const refusedRequest = page.refusal && deps.refusals.record(ctx, page.refusal);
  sendErrorPage(ctx, page, { ...deps, endpoint: findEndpoint(ctx, deps), refusedRequest });
}

function findEndpoint({ state, path }: RequestContext, { endpointNear }: ErrorResponseDeps): Endpoint | undefined {
  return state.endpoint ?? endpointNear(path);
}

const CONNECTION_ERROR_CODE = /^(?:HPE_|ECONN|EPIPE$|ETIMEDOUT$|ERR_STREAM_PREMATURE_CLOSE$|ERR_HTTP_REQUEST_TIMEOUT$)/;

/** Reports whether the caller disconnected, timed out or sent invalid HTTP. Such errors are not logged. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONNECTION_ERROR_CODE.test(String(error.code));
}

interface LimitWarningDeps {
  readonly log: { warn?(details: Readonly<Record<string, unknown>>, message: string): void };
  readonly addressOf: (ctx: RequestContext) => string;
}

/**
 * Returns the rate limit error, or undefined for any other error. An `AuthorizationError`, which reaches the client by
 * redirect, can have a rate limit error as its cause.
 */
function findRateLimitError(error: unknown): TooManyAttemptsError | undefined {
  const cause = error instanceof AuthorizationError ? error.cause : error;
  return cause instanceof TooManyAttemptsError ? cause : undefined;
}

/** Logs that a request exceeded a rate limit, at most once a minute for each limit. */
function warnAboutRateLimit(ctx: RequestContext, error: unknown, { log, addressOf }: LimitWarningDeps): void {
  const limitError = findRateLimitError(error);
  if (limitError?.shouldLog !== true) return;
  const { limit, retryAfterSeconds } = limitError;
  const details = { requestId: ctx.state.requestId, limit, address: addressOf(ctx), retryAfterSeconds };
  log.warn?.(details, 'a rate limit is exhausted; requests are refused');
}
