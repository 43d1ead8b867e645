import type { Middleware } from 'koa';
import type { Endpoint } from '../endpoint.ts';
import { encodedQuery } from './request-head.ts';
import { ASSET_PREFIX, readAssets, type Asset, type AssetEncoding, type Assets } from '../pages/assets.ts';

/** For a URL with the current version: caches store the response for a year. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** For a URL without the current version: caches revalidate the response each time. */
const REVALIDATE = 'no-cache';

/** The best compression comes first. Browsers accept all of these encodings. */
const PREFERRED_ENCODINGS: readonly AssetEncoding[] = ['br', 'gzip', 'identity'];

/** The endpoint under which requests for assets are counted and logged. */
export const STATIC_FILES: Endpoint = {
  method: 'GET',
  path: ASSET_PREFIX,
  kind: 'document',
  authentication: 'none',
  isPolled: true,
};

/**
 * Returns middleware that serves `/static/NAME` from memory, and passes other requests on. The names are those of the
 * files that were read at startup, so no path leads to any other file. Only these files are compressed, because a page
 * contains a CSRF token and sometimes a client secret, next to text from the URL or a form. The length of a compressed
 * page would reveal whether a guess in that text is correct (the BREACH attack).
 */
export function serveStatic(assets: Assets = readAssets()): Middleware {
  return (ctx, next) => {
    const isAssetRequest = (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.path.startsWith(ASSET_PREFIX);
    const asset = isAssetRequest ? assets.find(ctx.path.slice(ASSET_PREFIX.length)) : undefined;
    return asset === undefined ? next() : respond(ctx, asset);
  };
}

async function respond(ctx: Parameters<Middleware>[0], asset: Asset): Promise<void> {
  Object.assign(ctx.state, { endpoint: STATIC_FILES });
  const encoding = PREFERRED_ENCODINGS.find((candidate) => ctx.acceptsEncodings(candidate) === candidate) ?? 'identity';
  const content = await asset.encoded(encoding);
  ctx.status = 200;
  ctx.set({
    'Content-Type': asset.contentType,
    'Cache-Control': encodedQuery(ctx) === `v=${asset.version}` ? IMMUTABLE : REVALIDATE,
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
    ETag: `"${asset.version}-${encoding}"`,
  });
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = content;
}
