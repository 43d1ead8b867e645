import { Router } from '@koa/router';
import type { OpenApiDocument } from '../openapi/document.ts';
import { apiPageLocals } from '../openapi/page.ts';
import { pageContext } from './page-context.ts';
import type { Pages } from './render.ts';
import { sendPage } from './send-page.ts';
import type { RequestState } from '../pipeline/state.ts';

/** The description of the API, for people. Asked for when every router is there, and once. */
export function apiDescriptionRoutes(
  description: () => OpenApiDocument,
  pages: Pick<Pages, 'apiDescription'>,
): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });
  let shown: ReturnType<typeof apiPageLocals> | undefined;

  router.get('/docs', (ctx) => {
    shown ??= apiPageLocals(description());
    sendPage(ctx, pages.apiDescription({ ...pageContext(ctx), ...shown }));
  });

  return router;
}
