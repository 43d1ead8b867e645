import { Router } from '@koa/router';
import { pageContext } from '../page-context.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import type { RequestState } from '../state.ts';

export function homeRoutes(pages: Pick<Pages, 'home'>, settings: { readonly signup: 'closed' | 'open' }): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true });
  router.get('/', (ctx) => sendPage(ctx, pages.home({ ...pageContext(ctx), signupOpen: settings.signup === 'open' })));
  return router;
}
