import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';

interface Asset {
  readonly body: Buffer;
  readonly contentType: string;
  readonly etag: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const PREFIX = '/static/';

/** The assets beside `src` and `dist` alike. */
const STATIC_DIRECTORY = fileURLToPath(new URL('../../static/', import.meta.url));

/**
 * Answers GET and HEAD of `/static/NAME` from memory, all else is the next middleware's. The files
 * are read once, here; a name is only ever looked up among theirs, so no path can lead elsewhere.
 * @throws Error a file of `directory` has no known content type
 */
export function serveStatic(directory: string = STATIC_DIRECTORY): Middleware {
  const assets = new Map(readdirSync(directory).map((name) => [PREFIX + name, readAsset(join(directory, name))]));
  return async (ctx, next) => {
    const asset = ctx.method === 'GET' || ctx.method === 'HEAD' ? assets.get(ctx.path) : undefined;
    if (asset === undefined) {
      await next();
      return;
    }
    ctx.status = 200;
    ctx.set({
      'Content-Type': asset.contentType,
      'Cache-Control': 'no-cache', // names carry no version: ask each time, answered 304
      'X-Content-Type-Options': 'nosniff',
      ETag: asset.etag,
    });
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = asset.body;
  };
}

function readAsset(file: string): Asset {
  const contentType = CONTENT_TYPES[extname(file)];
  if (contentType === undefined) throw new Error(`${file} has no known content type`);
  const body = readFileSync(file);
  return { body, contentType, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
