import type { OpenApiDocument } from '../openapi/document.ts';
import { apiPageLocals } from '../openapi/page.ts';
import { pageContext } from './page-context.ts';
import type { Pages } from './render.ts';
import { sendPage } from './send-page.ts';
import { createPageRouter } from './page-router.ts';
import type { Route } from '../route.ts';

/** The API reference. The document is requested lazily and once, because it describes routes that are added later. */
export function apiDescriptionRoutes(
  description: () => OpenApiDocument,
  pages: Pick<Pages, 'apiDescription'>,
): readonly Route[] {
  const router = createPageRouter();
  let shown: ReturnType<typeof apiPageLocals> | undefined;

  router.get('/docs', (ctx) => {
    shown ??= apiPageLocals(description());
    sendPage(ctx, pages.apiDescription({ ...pageContext(ctx), ...shown }));
  });

  return router.routes;
}
