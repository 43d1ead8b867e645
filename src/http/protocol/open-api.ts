import { createHash } from 'node:crypto';
import { Router } from '@koa/router';
import type { OpenApiDocument } from '../openapi/document.ts';
import { READ_DESCRIPTION } from '../openapi/metadata-api.ts';
import { described } from '../openapi/operation.ts';
import { PUBLIC_DOCUMENT_CACHING } from '../pipeline/response-headers.ts';
import type { RequestState } from '../pipeline/state.ts';

/** What this server's interface is, in OpenAPI's words. Asked for when every router is there, this one included, and once. */
export function openApiRoutes(description: () => OpenApiDocument): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });
  let written: { readonly text: string; readonly etag: string } | undefined;

  router.get(
    '/openapi.json',
    described([READ_DESCRIPTION], (ctx) => {
      written ??= write(description());
      ctx.set({ 'Cache-Control': PUBLIC_DOCUMENT_CACHING, ETag: written.etag });
      ctx.status = 200;
      ctx.type = 'json';
      if (ctx.fresh) ctx.status = 304;
      else ctx.body = written.text;
    }),
  );

  return router;
}

function write(document: OpenApiDocument) {
  const text = `${JSON.stringify(document)}\n`;
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}
