import type { OpenApiDocument } from '../openapi/document.ts';
import { apiPageLocals } from '../openapi/page.ts';
import { pageContext } from './page-context.ts';
import type { Pages } from './render.ts';
import { sendPage } from './send-page.ts';
import { createPageRouter } from './page-router.ts';
import type { Route } from '../route.ts';

/** The description of the API, for people. Asked for when every router is there, and once. */
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
