import { DecisionOutdated } from '../../event-store/event-log.ts';
import type { Freshness } from '../../event-store/freshness.ts';
import { OAuthError } from '../../oauth/endpoints/errors.ts';
import { SESSION_COOKIE } from '../../policy/open-api-security.ts';
import { header } from './request-head.ts';
import type { Handler, RequestContext } from './state.ts';

/** Returns a step that runs first in a route, and responds with 503 while this node may have missed a revocation. */
export function requireCurrent({ assertCurrent }: Pick<Freshness, 'assertCurrent'>): Handler {
  return (_ctx, next) => {
    assertCurrent();
    return next();
  };
}

/**
 * Returns a step that runs before a page or form is processed. It waits until this node has every event that any node
 * recorded before the request.
 */
export function catchUpFirst({ catchUpThrottled }: Pick<Freshness, 'catchUpThrottled'>): Handler {
  return async (_ctx, next) => {
    await catchUpThrottled();
    await next();
  };
}

/** Like `catchUpFirst`, but for routers mounted after this application, and only for requests with a session. */
export function catchUpForSessions(freshness: Pick<Freshness, 'catchUpThrottled'>): Handler {
  const catchUp = catchUpFirst(freshness);
  return (ctx, next) => (hasSession(ctx) ? catchUp(ctx, next) : next());
}

function hasSession(ctx: RequestContext): boolean {
  if (header(ctx, 'authorization') !== undefined) return false; // the header takes precedence over a session
  return Object.values(SESSION_COOKIE).some((name) => ctx.cookies.get(name, { signed: true }) !== undefined);
}

/** Returns the status of the code or token in a request: `genuine` if its tag proves that this server issued it. */
export type ReadCredentialStatus = (ctx: RequestContext) => 'absent' | 'unproven' | 'genuine';

/**
 * Returns a step to run after `retryWhenOutdated`. Before an authenticated client is refused, this node catches up with
 * the other nodes, unless the credential is unproven. If this node receives new events, it processes the request once
 * more.
 */
export function confirmRefusal(
  { position, catchUp, catchUpThrottled }: Pick<Freshness, 'position' | 'catchUp' | 'catchUpThrottled'>,
  credentialStatus: ReadCredentialStatus,
): Handler {
  return async (ctx, next) => {
    const initialPosition = position();
    try {
      await next();
    } catch (error) {
      if (!mayBeOutdated(ctx, error)) throw error;
      const status = credentialStatus(ctx);
      if (status === 'unproven') throw error;
      ctx.state.isRefusalConfirmed = true;
      // Without a credential, the catch-up is throttled, because anyone can send a request in a public client's name.
      await (status === 'genuine' ? catchUp() : catchUpThrottled());
      throw position() === initialPosition ? error : new DecisionOutdated(null);
    }
  };
}

/** Refusals that need no confirmation: passwords are checked after a catch-up, and a refused device polls again. */
const RULES_WITHOUT_CONFIRMATION: readonly string[] = ['password-wrong', 'device-pending', 'device-polls-too-fast'];

function mayBeOutdated({ state }: RequestContext, error: unknown): boolean {
  if (!(error instanceof OAuthError) || state.client === undefined || state.isRefusalConfirmed === true) return false;
  return !RULES_WITHOUT_CONFIRMATION.includes(error.refusal.rule);
}
