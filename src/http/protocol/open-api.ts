import { createHash } from 'node:crypto';
import type { OpenApiDocument } from '../openapi/document.ts';
import { READ_DESCRIPTION } from '../openapi/metadata-api.ts';
import { PUBLIC_DOCUMENT_CACHING } from '../pipeline/response-headers.ts';
import type { Route } from '../route.ts';
import { PUBLIC_DOCUMENT } from './metadata.ts';

/**
 * Returns the route for this server's OpenAPI document.
 * @param description returns the document, as the same object until the document changes; called for each request,
 *   after all routes have been created
 */
export function openApiRoute(description: () => OpenApiDocument): Route {
  let cache: { readonly document: OpenApiDocument; readonly text: string; readonly etag: string } | undefined;
  return {
    ...PUBLIC_DOCUMENT,
    path: '/openapi.json',
    openApi: [READ_DESCRIPTION],
    pipeline: [
      (ctx) => {
        const document = description();
        if (cache?.document !== document) cache = { document, ...serialize(document) };
        ctx.set({ 'Cache-Control': PUBLIC_DOCUMENT_CACHING, ETag: cache.etag });
        ctx.status = 200;
        ctx.type = 'json';
        if (ctx.fresh) ctx.status = 304;
        else ctx.body = cache.text;
      },
    ],
  };
}

function serialize(document: OpenApiDocument) {
  const text = `${JSON.stringify(document)}\n`;
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}
