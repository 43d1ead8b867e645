import { TooManyAttemptsError } from '../../platform/limits/too-many-attempts.ts';
import { AuthorizationError } from '../../oauth/endpoints/authorization-request.ts';
import type { RequestContext } from './state.ts';

interface LimitWarningDeps {
  readonly log: { warn?(details: Readonly<Record<string, unknown>>, message: string): void };
  readonly addressOf: (ctx: RequestContext) => string;
}

/**
 * Returns the error for the exhausted limit, even if the refusal is sent to the client by a redirect, or undefined for
 * any other error.
 */
export function findRateLimitError(error: unknown): TooManyAttemptsError | undefined {
  const cause = error instanceof AuthorizationError ? error.cause : error;
  return cause instanceof TooManyAttemptsError ? cause : undefined;
}

/** Logs that a request exceeded a rate limit, at most once a minute for each limit. */
export function warnAboutRateLimit(ctx: RequestContext, error: unknown, { log, addressOf }: LimitWarningDeps): void {
  const limitError = findRateLimitError(error);
  if (limitError?.shouldLog !== true) return;
  const { limit, retryAfterSeconds } = limitError;
  const details = { requestId: ctx.state.requestId, limit, address: addressOf(ctx), retryAfterSeconds };
  log.warn?.(details, 'a rate limit is exhausted; requests are refused');
}
