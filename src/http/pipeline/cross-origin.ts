import type { CorsRule } from '../endpoint.ts';
import { header } from './request-head.ts';
import type { Handler, RequestContext } from './state.ts';

/** The origins that clients are registered with. */
export interface ClientOrigins {
  /** Whether any client has it among its allowed origins. */
  hasOrigin(origin: string): boolean;
  find(clientId: string): OriginOwner | undefined;
}

interface OriginOwner {
  readonly allowedOrigins: readonly string[];
}

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';

/** Tells a browser for this long, in seconds, what it needs not ask again. */
const PREFLIGHT_MAX_AGE = '600';

/**
 * Lets scripts in browsers read responses that are meant for them (CORS, as the Fetch standard defines it). Credentials
 * are never allowed, so a cookie is of no use to them. A preflight names no client, so it is answered for the origins of
 * all clients; so is a request until its client is known, see `restrictToOriginsOf`.
 */
export function crossOrigin({ origins, methods }: CorsRule, clients: Pick<ClientOrigins, 'hasOrigin'>): Handler {
  const isPublic = origins === 'any';
  const requestHeaders = isPublic ? '*' : 'Authorization, Content-Type';
  return async (ctx, next) => {
    if (isPublic) ctx.set(ALLOW_ORIGIN, '*');
    else allowClientOrigin(ctx, clients);
    try {
      if (isPreflight(ctx)) answerPreflight(ctx, methods, requestHeaders);
      else await next();
    } finally {
      if (!isPublic) varyByOrigin(ctx);
    }
  };
}

/**
 * From here on the answer is that client's, and is for its own origins alone. Until then it could only have been a
 * refusal, the same for an unknown client and a wrong secret: an origin must not tell the one from the other either.
 */
export function restrictToOriginsOf(ctx: RequestContext, client: OriginOwner | undefined): void {
  const origin = header(ctx, 'origin');
  if (origin === undefined || client?.allowedOrigins.includes(origin) === true) return;
  ctx.remove(ALLOW_ORIGIN);
  ctx.remove(EXPOSE_HEADERS);
}

/** The same where a bearer token identifies the client. */
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
  ctx.set(EXPOSE_HEADERS, 'WWW-Authenticate, Link, Retry-After, X-Request-Id');
}

/** Whether an origin was sent or not: a cache must not hand the one answer to the other. */
function varyByOrigin({ res }: RequestContext): void {
  if (!res.headersSent) res.setHeader('Vary', 'Origin');
}

function isPreflight(ctx: RequestContext): boolean {
  const isCrossOrigin = Boolean(header(ctx, 'origin'));
  return ctx.method === 'OPTIONS' && isCrossOrigin && Boolean(header(ctx, 'access-control-request-method'));
}

/** Without authentication, which a preflight cannot carry. Where the origin is nobody's, it says nothing. */
function answerPreflight(ctx: RequestContext, methods: string, headers: string): void {
  ctx.status = 204;
  if (!ctx.res.hasHeader(ALLOW_ORIGIN)) return;
  ctx.set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': headers,
    'Access-Control-Max-Age': PREFLIGHT_MAX_AGE,
  });
}
