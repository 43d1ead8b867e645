import type { CorsRule } from '../endpoint.ts';
import { header } from './request-head.ts';
import type { Handler, RequestContext } from './state.ts';

/** The allowed origins of registered clients. */
export interface ClientOrigins {
  /** Reports whether any client allows the origin. */
  hasOrigin(origin: string): boolean;
  find(clientId: string): ClientWithOrigins | undefined;
}

interface ClientWithOrigins {
  readonly allowedOrigins: readonly string[];
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';

/** The time in which a browser may reuse the response to a preflight, in seconds. */
const PREFLIGHT_MAX_AGE = '600';

/**
 * Returns a step that lets scripts from other origins read the responses (CORS, Fetch standard). Credentials are never
 * allowed, so cookies have no effect. A preflight does not identify a client, so it succeeds for the origins of all
 * clients. These origins may also read the response to a request whose client was not identified: see
 * `restrictToOriginsOf`.
 */
export function crossOrigin({ origins, methods }: CorsRule, clients: Pick<ClientOrigins, 'hasOrigin'>): Handler {
  const isPublic = origins === 'any';
  // The wildcard does not cover Authorization (Fetch standard §4.8).
  const requestHeaders = isPublic ? '*, Authorization' : 'Authorization, Content-Type, DPoP';
  return async (ctx, next) => {
    if (isPublic) ctx.set(ALLOW_ORIGIN, '*');
    else allowClientOrigin(ctx, clients);
    try {
      if (isPreflight(ctx)) respondToPreflight(ctx, methods, requestHeaders);
      else await next();
    } finally {
      if (!isPublic) varyByOrigin(ctx);
    }
  };
}

/**
 * Lets only the client's origins read the response. Call this function once the client has been identified. Until then,
 * the origins of all clients may read refusals, because the CORS headers must not reveal whether the client is unknown
 * or its secret is incorrect.
 */
export function restrictToOriginsOf(ctx: RequestContext, client: ClientWithOrigins | undefined): void {
  const origin = header(ctx, 'origin');
  if (origin === undefined || client?.allowedOrigins.includes(origin) === true) return;
  ctx.remove(ALLOW_ORIGIN);
  ctx.remove(EXPOSE_HEADERS);
}

/** Returns a step that calls `restrictToOriginsOf` for the client that the bearer token was issued to. */
export function restrictToCaller(clients: Pick<ClientOrigins, 'find'>): Handler {
  return (ctx, next) => {
    const { principal } = ctx.state;
    if (principal.kind === 'bearer') restrictToOriginsOf(ctx, clients.find(principal.clientId));
    return next();
  };
}

function allowClientOrigin(ctx: RequestContext, clients: Pick<ClientOrigins, 'hasOrigin'>): void {
  const origin = header(ctx, 'origin');
  if (origin === undefined || !clients.hasOrigin(origin)) return;
  ctx.set(ALLOW_ORIGIN, origin);
  ctx.set(EXPOSE_HEADERS, 'WWW-Authenticate, Link, Retry-After, X-Request-Id, DPoP-Nonce');
}

/** Sets `Vary` even without an `Origin`, because caches must not reuse the response for a request with an `Origin`. */
function varyByOrigin({ res }: RequestContext): void {
  if (!res.headersSent) res.setHeader('Vary', 'Origin');
}

function isPreflight(ctx: RequestContext): boolean {
  const isCrossOrigin = Boolean(header(ctx, 'origin'));
  return ctx.method === 'OPTIONS' && isCrossOrigin && Boolean(header(ctx, 'access-control-request-method'));
}

/** Responds to a preflight. If no client allows the origin, the response permits nothing. */
function respondToPreflight(ctx: RequestContext, methods: string, headers: string): void {
  ctx.status = 204;
  if (!ctx.res.hasHeader(ALLOW_ORIGIN)) return;
  ctx.set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': headers,
    'Access-Control-Max-Age': PREFLIGHT_MAX_AGE,
  });
}
