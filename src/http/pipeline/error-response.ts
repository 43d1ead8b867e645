import { HashingOverloaded } from '../../platform/hashing/hashing-overloaded.ts';
import { AuthorizationRefused } from '../../oauth/endpoints/authorization-request.ts';
import type { AuthorizationResponse } from '../../oauth/endpoints/authorization-response.ts';
import { OAuthError, oauthError } from '../../oauth/endpoints/errors.ts';
import { TooManyAttempts } from '../../platform/limits/too-many-attempts.ts';
import type { Ticks } from '../../platform/ports.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Pages } from '../pages/render.ts';
import { knownError, tooManyAttempts, unexpectedError } from './known-errors.ts';
import { notFound, PageError } from './page-error.ts';
import { findRateLimitError, warnAboutRateLimit } from './rate-limit-warning.ts';
import type { RefusalRecorder } from './refusal-recorder.ts';
import { createRefusalThrottle } from './refusal-throttle.ts';
import { traceparentOf, validateHead } from './request-head.ts';
import { sendAuthorizationResponse } from './send-authorization-response.ts';
import { sendErrorPage, sendOAuthError, type ErrorPages } from './send-error.ts';
import type { Handler, RequestContext } from './state.ts';

/** Receives unexpected errors and, if it has the other methods, details for the operator. */
export interface ErrorLog {
  error(details: Readonly<Record<string, unknown>>, message: string): void;
  debug?(details: Readonly<Record<string, unknown>>, message: string): void;
  warn?(details: Readonly<Record<string, unknown>>, message: string): void;
}

export interface ErrorResponseParts {
  readonly pages: ErrorPages & Pick<Pages, 'formPost'>;
  readonly log: ErrorLog;
  readonly mintRequestId: () => string;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly refusals: RefusalRecorder;
  readonly ticks: Ticks;
  /** The response that reports a refusal to the client. */
  readonly refusalResponse: (refused: AuthorizationRefused) => AuthorizationResponse;
  /** The endpoint whose error format applies before a request is dispatched, or if no route matches it. */
  readonly endpointNear: (path: string) => Endpoint | undefined;
}

/**
 * The only place where an error becomes a response. It also gives each request its id. An expected error says what went
 * wrong. Any other becomes a plain 500 with the id, and a line in the log.
 */
export function errorResponse(parts: ErrorResponseParts): Handler {
  const throttleRefusals = createRefusalThrottle(parts.ticks);
  return async (ctx, next) => {
    ctx.state.requestId = parts.mintRequestId();
    ctx.state.metadata = { requestId: ctx.state.requestId, traceparent: traceparentOf(ctx) };
    ctx.state.recordDenial = (denial) => parts.refusals.denied(ctx, denial);
    try {
      validateHead(ctx);
      await next();
      respondIfUnhandled(ctx, parts);
    } catch (error) {
      if (findRateLimitError(error) !== undefined || error instanceof HashingOverloaded) await throttleRefusals();
      answerError(ctx, error, parts);
    }
    if (!ctx.res.headersSent) ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
  };
}

/** Responds with 404, 405 or 501 if no route handled the request. */
function respondIfUnhandled(ctx: RequestContext, parts: ErrorResponseParts): void {
  if (ctx.body !== undefined && ctx.body !== null) return;
  if (ctx.status === 404) answerPageError(ctx, notFound(), parts);
  if (ctx.status === 405 || ctx.status === 501) answerMethodNotAllowed(ctx, parts);
}

function answerMethodNotAllowed(ctx: RequestContext, parts: ErrorResponseParts): void {
  const allowed = ctx.response.get('Allow');
  const refusal = { rule: 'method-not-allowed', allowed } as const;
  if (endpointOf(ctx, parts)?.kind === 'protocol') {
    answerOAuthError(ctx, oauthError(refusal), parts);
  } else {
    answerPageError(
      ctx,
      new PageError(405, 'Method not allowed', `This address accepts ${allowed}.`, '', refusal),
      parts,
    );
  }
}

function answerError(ctx: RequestContext, error: unknown, parts: ErrorResponseParts): void {
  warnAboutRateLimit(ctx, error, parts);
  if (error instanceof OAuthError) return answerOAuthError(ctx, error, parts);
  if (error instanceof AuthorizationRefused) return answerClient(ctx, error, parts);
  const endpoint = endpointOf(ctx, parts);
  if (error instanceof TooManyAttempts && endpoint?.authentication === 'client') {
    ctx.set('Retry-After', String(error.retryAfterSeconds));
    return answerOAuthError(ctx, tooManyAttempts(error), parts);
  }
  const { page, retryAfterSeconds } = knownError(error, endpoint) ?? logUnexpected(ctx, error, parts);
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  answerPageError(ctx, page, parts);
}

function logUnexpected(ctx: RequestContext, error: unknown, { log }: ErrorResponseParts) {
  const { method, path, state } = ctx;
  log.error({ requestId: state.requestId, method, path, err: error }, 'request failed');
  return unexpectedError(error);
}

function answerOAuthError(ctx: RequestContext, error: OAuthError, { refusals }: ErrorResponseParts): void {
  refusals.record(ctx, error.refusal, error.code);
  ctx.state.errorCode = error.code;
  sendOAuthError(ctx, error);
}

function answerClient(ctx: RequestContext, refused: AuthorizationRefused, parts: ErrorResponseParts): void {
  parts.refusals.record(ctx, refused.refusal, refused.code);
  ctx.state.errorCode = refused.code;
  sendAuthorizationResponse(ctx, parts.refusalResponse(refused), parts.pages);
}

function answerPageError(ctx: RequestContext, page: PageError, parts: ErrorResponseParts): void {
  if (page.refusal !== undefined) parts.refusals.record(ctx, page.refusal);
  sendErrorPage(ctx, page, endpointOf(ctx, parts), parts.pages);
}

function endpointOf({ state, path }: RequestContext, { endpointNear }: ErrorResponseParts): Endpoint | undefined {
  return state.endpoint ?? endpointNear(path);
}
