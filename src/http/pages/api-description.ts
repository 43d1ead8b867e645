import type { OpenApiDocument } from '../openapi/document.ts';
import { apiPageLocals } from '../openapi/page.ts';
import { pageContext } from './page-context.ts';
import type { Pages } from './render.ts';
import { sendPage } from './send-page.ts';
import { createPageRouter } from './page-router.ts';
import type { Route } from '../route.ts';

/**
 * Returns the routes for the API reference. The document is built lazily, because it describes routes that are added
 * later.
 */
export function apiDescriptionRoutes(
  description: () => OpenApiDocument,
  pages: Pick<Pages, 'apiDescription'>,
): readonly Route[] {
  const router = createPageRouter();
  let cache: { readonly document: OpenApiDocument; readonly locals: ReturnType<typeof apiPageLocals> } | undefined;

  router.get('/docs', (ctx) => {
    const document = description();
    if (cache?.document !== document) cache = { document, locals: apiPageLocals(document) };
    sendPage(ctx, pages.apiDescription({ ...pageContext(ctx), ...cache.locals }));
  });

  return router.routes;
}
