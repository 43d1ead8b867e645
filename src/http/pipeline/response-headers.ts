import type { Handler, RequestContext } from './state.ts';

/** In seconds; two years, as browsers' own lists ask. Of other hosts of the domain nothing is known here. */
const HSTS = 'max-age=63072000';

/** For documents that are the same for anybody, and change with the settings at most. */
export const PUBLIC_DOCUMENT_CACHING = 'public, max-age=300';

/** Answers 200 with a JSON object that no cache keeps, its head and its body written in one go. */
export type SendJson = (ctx: RequestContext, body: object) => void;

export interface StrictHeaders {
  readonly middleware: Handler;
  readonly sendJson: SendJson;
}

/**
 * What every answer carries unless its route says otherwise, so that a new route is strict before anybody thinks of it.
 * Put in when the answer is there and its head not yet sent: headers that are set one by one and early are validated,
 * stored and looked up again, which costs a token request a tenth of its time. `answerJson` is for where that counts.
 * @param https whether the public address is: promising it for any other would lock everybody out
 */
export function strictHeaders({ https }: { readonly https: boolean }): StrictHeaders {
  const headers = Object.entries({
    ...COMMON_HEADERS,
    ...STRICT_HEADERS,
    ...(https ? { 'Strict-Transport-Security': HSTS } : {}),
  });
  const inOneGo = [
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
        if (!res.hasHeader(name) && !(ctx.state.isMountedApp === true && name in STRICT_HEADERS))
          res.setHeader(name, value);
    },

    sendJson(ctx, body) {
      const text = JSON.stringify(body);
      ctx.respond = false; // Koa would go through the headers once more
      ctx.res.writeHead(200, [
        ...inOneGo,
        'X-Request-Id',
        ctx.state.requestId,
        'Content-Length',
        String(Buffer.byteLength(text)),
      ]);
      ctx.res.end(text);
    },
  };
}

/** Leaves to the routers behind, which are somebody else's, what they may need to decide for themselves. */
export const relaxHeadersForMountedApps: Handler = (ctx, next) => {
  ctx.state.isMountedApp = true;
  ctx.set(COMMON_HEADERS); // at once: whether such a router writes its answer itself is not known here
  return next();
};

const COMMON_HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'same-origin' };

/** An answer of ours that comes after the routers behind were asked carries them, too. */
export const STRICT_HEADERS = {
  'Cache-Control': 'no-store',
  // For what is no page, and should a browser be made to take it for one.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};
