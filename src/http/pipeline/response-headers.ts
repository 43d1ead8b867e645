import type { Handler, RequestContext } from './state.ts';

/** Valid for two years, in seconds. Does not include subdomains, because they might not use https. */
const HSTS = 'max-age=63072000';

/** The `Cache-Control` value for documents that are the same for all callers and change only with the settings. */
export const PUBLIC_DOCUMENT_CACHING = 'public, max-age=300';

/**
 * Responds with status 200 and JSON that no cache stores. Setting `ctx.body` instead costs a token request 10% more
 * processor time, because Koa then handles each header separately (`npm run bench -- compare --rows
 * client_credentials`).
 */
export type SendJson = (ctx: RequestContext, body: object) => void | Promise<void>;

export interface StrictHeaders {
  readonly middleware: Handler;
  readonly sendJson: SendJson;
}

/**
 * Creates the middleware that adds strict headers to every response. It keeps the headers that a route has set, so new
 * routes are strict by default. The headers are set when the response is ready, because setting each header earlier
 * takes a tenth of the time of a token request.
 * @param https whether the public URL is https. Without https, the HSTS header is omitted, because a browser that
 *   received it would refuse to open the public URL
 */
export function strictHeaders({ https }: { readonly https: boolean }): StrictHeaders {
  const headers = Object.entries({
    ...COMMON_HEADERS,
    ...STRICT_HEADERS,
    ...(https ? { 'Strict-Transport-Security': HSTS } : {}),
  });
  const jsonHeaders = [
    ...headers.flat(),
    'Pragma',
    'no-cache',
    'Vary',
    'Origin',
    'Content-Type',
    'application/json; charset=utf-8',
  ];
  return {
    async middleware(ctx, next) {
      await next();
      const { res } = ctx;
      if (res.headersSent) return;
      for (const [name, value] of headers)
        if (!res.hasHeader(name) && !(ctx.state.isPassedToMountedRouters === true && name in STRICT_HEADERS))
          res.setHeader(name, value);
    },

    sendJson(ctx, body) {
      const { authenticationRecorded } = ctx.state;
      return authenticationRecorded === undefined
        ? write(ctx, body)
        : authenticationRecorded.then(() => write(ctx, body));
    },
  };

  function write(ctx: RequestContext, body: object): void {
    const text = JSON.stringify(body);
    ctx.respond = false;
    ctx.res.writeHead(200, [
      ...jsonHeaders,
      'X-Request-Id',
      ctx.state.requestId,
      'Content-Length',
      String(Buffer.byteLength(text)),
    ]);
    ctx.res.end(text);
  }
}

/** Sets only the common headers, because mounted routers have their own rules for caching, embedding and scripts. */
export const relaxHeadersForMountedApps: Handler = (ctx, next) => {
  ctx.state.isPassedToMountedRouters = true;
  ctx.set(COMMON_HEADERS); // set before the router runs, because the router may write the response itself
  return next();
};

const COMMON_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' };

/** Also set on this application's errors for requests that no mounted router has handled. */
export const STRICT_HEADERS = {
  'Cache-Control': 'no-store',
  // In case a browser renders a response that is not a page.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};
