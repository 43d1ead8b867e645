import { isOwner } from '../../../domain/members.ts';
import { unverifiedParameters } from '../../../oauth/endpoints/authorization-response.ts';
import type { Clients } from '../../../projections/clients.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import { queryOf } from '../../pipeline/query.ts';
import { encodedQuery } from '../../pipeline/request-head.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { pageContext, pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { tryItLocals, type ApplicationPageDeps } from './application-page.ts';
import type { ApplicationCallbackLocals } from './locals.ts';

export interface CallbackPageDeps extends ApplicationPageDeps {
  readonly clients: Pick<Clients, 'find'>;
  readonly pages: Pick<Pages, 'applicationCallback' | 'applicationCallbackForOthers'>;
}

/**
 * Adds the built-in callback page, whose URL owners can use as the redirect URI to try the authorization code flow. For
 * anyone else, a redirect first removes the code from the address bar. The page is then the same for every client id,
 * so it does not reveal which applications exist.
 */
export function addCallbackPage(router: PageRouter, deps: CallbackPageDeps): void {
  const { clients, pages } = deps;

  router.get('/:id/callback', (ctx: RequestContext) => {
    const caller = ctx.state.webSession.loggedInUser();
    const client = clients.find(pathParameter(ctx, 'id'));
    if (caller === undefined || client === undefined || !isOwner(client, caller.user.userId)) return showToOthers(ctx);
    const response = readResponse(ctx);
    const locals = { ...pageContextFor(ctx, caller), ...tryItLocals(ctx, caller, client, deps), response };
    sendWithNoReferrerPolicy(ctx, pages.applicationCallback(locals));
  });

  function showToOthers(ctx: RequestContext): void {
    if (encodedQuery(ctx) !== '') {
      ctx.redirect(ctx.path);
      ctx.status = 303;
      ctx.set('Referrer-Policy', 'no-referrer');
      return;
    }
    ctx.status = 404;
    sendWithNoReferrerPolicy(ctx, pages.applicationCallbackForOthers(pageContext(ctx)));
  }
}

/**
 * Sends the page with a policy that keeps its URL out of the Referer header. The URL contains a code until a script
 * removes it.
 */
function sendWithNoReferrerPolicy(ctx: RequestContext, html: string): void {
  sendPage(ctx, html);
  ctx.set('Referrer-Policy', 'no-referrer');
}

/**
 * Returns the response to the authorization request (RFC 6749 §4.1.2) in the query, or null if the query has none.
 * Omits `error_description`, so that a link from elsewhere cannot make the page show arbitrary text. A script on the
 * page checks the signature of a response in a JWT (JARM).
 */
function readResponse(ctx: RequestContext): ApplicationCallbackLocals['response'] {
  const query = queryOf(ctx);
  // All three parameters are read, because reading a parameter checks its length.
  const [signedResponse, plainParameters] = [
    query.text('response'),
    { code: query.text('code'), error: query.text('error') },
  ];
  const parameters = signedResponse === undefined ? undefined : unverifiedParameters(signedResponse);
  const { code, error } = parameters ?? plainParameters;
  const isSigned = parameters !== undefined;
  if (code !== undefined) return { kind: 'code', code, isSigned };
  if (error === undefined) return null;
  return { kind: 'error', error: /^[a-z_]+$/.test(error) ? error : null, isSigned };
}
