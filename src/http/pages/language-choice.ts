import { isLanguage } from '../../language/languages.ts';
import { formOf, requireCsrfToken } from '../pipeline/page-form.ts';
import { rememberChosenLanguage } from '../pipeline/reader-language.ts';
import { referringPage } from '../pipeline/request-head.ts';
import { safeNext } from '../pipeline/require-login.ts';
import type { Route } from '../route.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from './page-router.ts';

/**
 * Returns the routes for the language form at the bottom of each page. Posting the form only sets a cookie in this
 * browser, and redirects back to the page.
 */
export function languageChoiceRoutes(): readonly Route[] {
  const router = createPageRouter();
  router.with(WITHOUT_CHANGE_LIMIT).post('/language', requireCsrfToken, (ctx) => {
    const language = formOf(ctx).text('language');
    if (isLanguage(language)) rememberChosenLanguage(ctx, language);
    ctx.redirect(safeNext(referringPage(ctx) ?? '/'));
  });
  return router.routes;
}
