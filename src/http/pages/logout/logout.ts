import type { Language } from '../../../language/languages.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { ClientLookup } from '../../../oauth/clients/secret-authentication.ts';
import type { RequestSeal } from '../../../oauth/credentials/sealed-request.ts';
import { OAuthError } from '../../../oauth/endpoints/errors.ts';
import { secretParameters, type Parameters } from '../../../oauth/endpoints/parameters.ts';
import { LogoutError, type LogoutRequest, type ReadLogoutRequest } from '../../../oauth/openid/logout-request.ts';
import { LOG_OUT } from '../../openapi/openid-api.ts';
import { destinationOf } from '../../pipeline/destination.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { parseForm } from '../../pipeline/protocol-parameters.ts';
import { rememberRequestedLanguage } from '../../pipeline/reader-language.ts';
import { encodedQuery } from '../../pipeline/request-head.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { Route } from '../../route.ts';
import { continueByGet } from '../authorize/continued-request.ts';
import { pageContext, pageContextFor } from '../page-context.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Pages } from '../render.ts';
import { sendPage } from '../send-page.ts';
import { message } from '../../../language/message.ts';

export interface LogoutDeps {
  readonly readLogoutRequest: ReadLogoutRequest;
  readonly requestSeal: RequestSeal;
  readonly clients: Pick<ClientLookup, 'find'>;
  readonly pages: Pick<Pages, 'logOut' | 'loggedOut'>;
  readonly settings: { readonly languages: readonly Language[] };
  readonly now: () => EpochSeconds;
}

const LOGOUT_PATH = '/o/logout';

/** A posted form with any of these fields is a client's request, not a confirmation form without its CSRF token. */
const LOGOUT_PARAMETERS = [
  'id_token_hint',
  'client_id',
  'post_logout_redirect_uri',
  'state',
  'logout_hint',
  'ui_locales',
] as const;

/** Returns the routes for the endpoint that logs users out for applications (OpenID Connect RP-Initiated Logout). */
export function logoutRoutes(deps: LogoutDeps): readonly Route[] {
  const { readLogoutRequest, requestSeal, clients, pages, settings, now } = deps;
  const router = createPageRouter();

  async function readRequest(ctx: RequestContext, parameters: Parameters): Promise<LogoutRequest> {
    ctx.state.refusalSubject = () => ({
      clientId: clients.find(parameters.get('client_id') ?? '')?.clientId ?? null,
      isAuthenticated: false,
      secrets: secretParameters(parameters),
    });
    rememberRequestedLanguage(ctx, parameters.get('ui_locales'), settings.languages);
    try {
      return await readLogoutRequest(parameters);
    } catch (error) {
      throw error instanceof LogoutError ? logoutError(error) : error;
    }
  }

  router.with({ openApi: [LOG_OUT] }).get(LOGOUT_PATH, async (ctx) => {
    const parameters = readEncoded(encodedQuery(ctx));
    const request = await readRequest(ctx, parameters);
    const caller = ctx.state.webSession.loggedInUser();
    if (caller === undefined)
      return request.hasHint && request.returnUri !== undefined
        ? redirectBack(ctx, request)
        : showLoggedOut(ctx, request);
    if (request.identifiesUser(caller.user.userId)) return logOut(ctx, request);
    return showConfirmation(ctx, request, parameters, caller);
  });

  router.with(WITHOUT_CHANGE_LIMIT).post(
    LOGOUT_PATH,
    (ctx, next) => {
      const { encodedForm } = ctx.state;
      if (encodedForm === undefined || formOf(ctx).text('csrf_token') !== '') return next();
      const parameters = readEncoded(encodedForm);
      const isFromClient = encodedForm === '' || LOGOUT_PARAMETERS.some((name) => parameters.has(name));
      return isFromClient ? continueByGet(ctx, `${LOGOUT_PATH}/`, parameters) : next();
    },
    requireCsrfToken,
    async (ctx) => {
      const caller = ctx.state.webSession.loggedInUser();
      const sealedRequest = formOf(ctx).text('request');
      const openedRequest = caller && requestSeal.open(sealedRequest, sealBinding(ctx, caller), now());
      if (openedRequest === undefined) throw formExpiredError();
      return logOut(ctx, await readRequest(ctx, openedRequest.parameters));
    },
  );

  function showConfirmation(
    ctx: RequestContext,
    request: LogoutRequest,
    parameters: Parameters,
    caller: LoggedInUser,
  ): void {
    const { client, returnUri } = request;
    const locals = {
      ...pageContextFor(ctx, caller),
      request: requestSeal.seal(parameters, sealBinding(ctx, caller), now()),
      application: client?.name ?? null,
      destination: returnUri === undefined ? null : destinationOf(returnUri),
    };
    sendPage(ctx, pages.logOut(locals), 'anywhere');
  }

  async function logOut(ctx: RequestContext, request: LogoutRequest): Promise<void> {
    await ctx.state.webSession.logOut('logged-out-through-client');
    return redirectBack(ctx, request);
  }

  function redirectBack(ctx: RequestContext, request: LogoutRequest): void {
    const { returnUri } = request;
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Referrer-Policy', 'no-referrer'); // the request's URL may contain an ID token
    ctx.redirect(returnUri ?? `${LOGOUT_PATH}/`); // without a session, that page confirms the logout
  }

  function showLoggedOut(ctx: RequestContext, { returnUri }: LogoutRequest): void {
    const returnTo = returnUri === undefined ? null : { address: returnUri, host: destinationOf(returnUri) };
    sendPage(ctx, pages.loggedOut({ ...pageContext(ctx), user: null, returnTo }));
    ctx.set('Referrer-Policy', 'no-referrer');
  }

  return router.routes;
}

function readEncoded(encoded: string): Parameters {
  try {
    const { parameters, lengthError } = parseForm(encoded);
    if (lengthError !== undefined) throw lengthError;
    return parameters;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw logoutError(new LogoutError(message('unusable.unreadable', { problem: error.message }), error.refusal));
  }
}

/** Returns a string that binds the confirmation to the session in which it was shown, and to the user. */
function sealBinding(ctx: RequestContext, { user }: LoggedInUser): string {
  return `log out ${ctx.state.webSession.csrfToken()} ${user.userId}`;
}

function logoutError({ text, refusal }: LogoutError): PageError {
  return new PageError(400, message('logout-error.title'), text, message('logout-error.advice'), refusal);
}

function formExpiredError(): PageError {
  return new PageError(
    400,
    message('logout-error.expired'),
    message('logout-error.expired-text'),
    message('logout-error.expired-advice'),
    { rule: 'request-aged' },
  );
}
