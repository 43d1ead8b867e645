import { redirectUrl, type AuthorizationResponse } from '../../oauth/endpoints/authorization-response.ts';
import type { Pages } from '../pages/render.ts';
import { sendPage } from '../pages/send-page.ts';
import { destinationOf } from './destination.ts';
import { readerLanguage } from './reader-language.ts';
import type { RequestContext } from './state.ts';

/**
 * Sends the browser to the client, by a redirect or by a page whose form submits itself (OAuth 2.0 Form Post Response
 * Mode). Without JavaScript, the user presses the button on that page.
 */
export function sendAuthorizationResponse(
  ctx: RequestContext,
  response: AuthorizationResponse,
  pages: Pick<Pages, 'formPost'>,
): void {
  const { mode, redirectUri, parameters } = response;
  if (mode === 'form_post') {
    ctx.status = 200;
    const fields = Object.entries(parameters).map(([name, value]) => ({ name, value }));
    const [host, language] = [destinationOf(redirectUri), readerLanguage(ctx)];
    sendPage(ctx, pages.formPost({ redirectUri, fields, host, readerLanguage: language }), 'anywhere');
  } else {
    ctx.redirect(redirectUrl(response));
  }
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'no-referrer'); // the current URL contains the authorization request
}
