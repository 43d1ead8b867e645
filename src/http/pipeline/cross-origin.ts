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

/** Documents that say the same to anybody: they may be read from anywhere. */
const PUBLIC_DOCUMENT =
  /^\/(?:\.well-known\/(?:oauth-authorization-server|oauth-protected-resource|openid-configuration|jwks\.json)|openapi\.json)(?:\/|$)/;
const CLIENT_ENDPOINT = /^\/o\/(?:token|revoke_token)\/?$/;
const SAMPLE_API = /^\/(?:users|groups)(?:\/|$)/;

/** Tells a browser for this long, in seconds, what it needs not ask again. */
const PREFLIGHT_MAX_AGE = '600';

/**
 * Lets applications that run in a browser read the answers that are for them (CORS, as the Fetch standard has it), and
 * nothing else: pages, the authorization endpoint and introspection are not for scripts of other origins. Credentials
 * are never allowed, so a cookie helps nobody. A preflight names no client, so it is answered for the origin of any
 * client; so is a request until its client is known, see `keepToOriginsOf`.
 */
export function crossOrigin(
  clients: Pick<ClientOrigins, 'hasOrigin'>,
  { sampleApi }: { readonly sampleApi: boolean },
): Handler {
  return async (ctx, next) => {
    const methods = readableBy(ctx.path, sampleApi);
    if (methods === undefined) return next();
    const isPublic = PUBLIC_DOCUMENT.test(ctx.path);
    if (isPublic) ctx.set(ALLOW_ORIGIN, '*');
    else allowClientOrigin(ctx, clients);
    try {
      if (isPreflight(ctx)) answerPreflight(ctx, methods, isPublic ? '*' : 'Authorization, Content-Type');
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

/** The same for the sample API, where a bearer token names the client. */
export function restrictToCaller(clients: Pick<ClientOrigins, 'find'>): Handler {
  return (ctx, next) => {
    const { principal } = ctx.state;
    if (principal.kind === 'bearer' && SAMPLE_API.test(ctx.path))
      restrictToOriginsOf(ctx, clients.find(principal.clientId));
    return next();
  };
}

/** The methods with which scripts of other origins may use what is at `path`. */
function readableBy(path: string, sampleApi: boolean): string | undefined {
  if (CLIENT_ENDPOINT.test(path)) return 'POST';
  if (PUBLIC_DOCUMENT.test(path)) return 'GET, HEAD';
  return sampleApi && SAMPLE_API.test(path) ? 'GET, HEAD, POST' : undefined;
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
