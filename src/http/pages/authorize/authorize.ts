import type { Config } from '../../../config/config.ts';
import type { KnownResources } from '../../../oauth/resources/known-resources.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { LimitName } from '../../../platform/limits/limits.ts';
import { TooManyAttemptsError } from '../../../platform/limits/too-many-attempts.ts';
import { isOwner } from '../../../domain/members.ts';
import { observedClient } from '../../../domain/streams.ts';
import {
  requireDelegable,
  type Approval,
  type AuthorizationEndpoint,
} from '../../../oauth/endpoints/authorization-endpoint.ts';
import {
  AuthorizationError,
  readAuthorizationRequest,
  UnusableRequestError,
  type AuthorizationRequest,
  type AuthorizationSettings,
} from '../../../oauth/endpoints/authorization-request.ts';
import { OAuthError } from '../../../oauth/endpoints/errors.ts';
import { message } from '../../../language/message.ts';
import { requireOpenToUser } from '../../../oauth/endpoints/test-mode.ts';
import type { ClientDirectory } from '../../../oauth/clients/client-directory.ts';
import { mintNonce } from '../../../oauth/credentials/credentials.ts';
import { secretParameters, type Parameters } from '../../../oauth/endpoints/parameters.ts';
import { loginForRequest } from '../../../oauth/openid/required-login.ts';
import type { RequestSeal } from '../../../oauth/credentials/sealed-request.ts';
import type { LoginSeal } from '../../../oauth/openid/demanded-login.ts';
import type { EffectiveRequest, EffectiveRequests } from '../../../oauth/requests/effective-requests.ts';
import type { Entropy } from '../../../platform/ports.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { authorizeOperation } from '../../openapi/authorization-api.ts';
import { requireLogin, redirectToLogin } from '../../pipeline/require-login.ts';
import { formOf, requireConsentCsrfToken } from '../../pipeline/page-form.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor } from '../page-context.ts';
import { parseForm, type ParsedParameters } from '../../pipeline/protocol-parameters.ts';
import { pageLanguage, rememberRequestedLanguage } from '../../pipeline/reader-language.ts';
import { sendAuthorizationResponse } from '../../pipeline/send-authorization-response.ts';
import { encodedQuery } from '../../pipeline/request-head.ts';
import type { Pages } from '../render.ts';
import { urlAfterLogin, continueByGet, fitsInUrl, formatQuery, withoutContinuation } from './continued-request.ts';
import {
  allowedScope,
  consentBinding,
  denialReason,
  givesNoAccess,
  describeApplication,
  describeDestination,
  describeUpdate,
  requestExpiredError,
  type ConsentDeps,
} from './consent.ts';
import {
  alreadyAnsweredError,
  clientRemovedError,
  requestUsedError,
  requireEnabledClient,
  tooManyCodesError,
} from './ended-requests.ts';
import type { AuthorizeLocals } from './locals.ts';
import { requestedData } from './requested-data.ts';
import type { DescribeScope } from './scope-descriptions.ts';
import { flashChangedText, languageOfForm, requestText, type RequestText } from './shown-text.ts';
import type { Groups } from '../../../projections/groups.ts';
import { sendPage } from '../send-page.ts';
import { redirectToSecondStep } from '../account/begin-session.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface AuthorizeRoutesDeps extends ConsentDeps {
  readonly authorization: AuthorizationEndpoint;
  readonly requestSeal: RequestSeal;
  readonly loginSeal: LoginSeal;
  readonly effectiveRequests: Pick<EffectiveRequests, 'fromBrowser'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly directory: ClientDirectory;
  readonly entropy: Entropy;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly pages: Pick<Pages, 'authorize' | 'formPost'>;
  /** The resource servers to which a request can be limited. */
  readonly resources: KnownResources;
  readonly groups: Pick<Groups, 'namesOf'>;
  readonly describeScope: DescribeScope;
  readonly settings: AuthorizationSettings & Pick<Config, 'languages' | 'loginUrl' | 'scopeClaims'>;
}

/** Returns the routes for the authorization endpoint and its consent page (RFC 6749 §3.1). */
export function authorizeRoutes(deps: AuthorizeRoutesDeps): readonly Route[] {
  const { authorization, requestSeal, loginSeal, effectiveRequests, limits, directory, entropy, addressOf } = deps;
  const { pages, now, resources, groups, managedGrants, describeScope, settings } = deps;
  const router = createPageRouter();

  /**
   * Reads the authorization request that the parameters describe.
   * @param isContinued whether this server has seen the request before; its `request_uri` may have expired since then
   */
  async function readRequest(
    ctx: RequestContext,
    { parameters: sentParameters, lengthError }: ParsedParameters,
    isContinued: boolean,
  ): Promise<{ readonly request: AuthorizationRequest; readonly effective: EffectiveRequest }> {
    setRefusalSubject(ctx, sentParameters);
    const spend = (limit: LimitName) => (): void => limits.spend(limit, addressOf(ctx), ctx.state.once);
    const effective = await effectiveRequests.fromBrowser(sentParameters, isContinued, now(), {
      document: spend('client-documents-by-address'),
      requestObject: spend('request-objects-by-address'),
    });
    const { parameters, problem, sealedRequest } = effective;
    rememberRequestedLanguage(ctx, parameters.get('ui_locales'), settings.languages);
    setRefusalSubject(ctx, parameters);
    // Clients do not authenticate at this endpoint, so their assertions are not read.
    const lengthProblem = lengthError?.refusal.rule === 'assertion-too-long' ? undefined : lengthError;
    if (effective.client !== undefined) requireEnabledClient(effective.client);
    const parsed = readAuthorizationRequest(
      parameters,
      effective.client,
      settings,
      resources,
      managedGrants,
      lengthProblem ?? problem,
    );
    return { request: sealedRequest === undefined ? parsed : { ...parsed, sealedRequest }, effective };
  }

  router.with({ openApi: [authorizeOperation()] }).get('/o/authorize', async (ctx) => {
    const parsedQuery = parseParameters(encodedQuery(ctx));
    const parameters = withoutContinuation(parsedQuery.parameters);
    const continuation = parsedQuery.parameters.get('continuation');
    const earlierDemand = continuation && loginSeal.open(continuation, formatQuery(parameters), now());
    const { request, effective } = await readRequest(ctx, { ...parsedQuery, parameters }, Boolean(earlierDemand));
    if (await authorization.isUsed(request)) throw requestUsedError(request);
    const caller = ctx.state.webSession.loggedInUser();
    const loggedInUser = caller && { ...caller, userId: caller.user.userId, roles: caller.user.roles };
    const next = await authorization.nextStep(request, loggedInUser, earlierDemand || undefined, now());
    if (caller === undefined || next.step === 'log-in') {
      const demandedLogin = next.step === 'log-in' ? next.demanded : undefined;
      const target = urlAfterLogin(effective, demandedLogin, loginSeal, now());
      if (next.step === 'log-in' && next.needs === 'second-step') return redirectToSecondStep(ctx, target);
      return redirectToLogin(ctx, settings.loginUrl, target, effective.parameters.get('login_hint'));
    }
    if (next.step === 'ask') return showConsent(ctx, request, effective, caller);
    const [{ userId }, { scope }, { consent }] = [caller.user, request, next];
    return issueCode(ctx, caller, request, {
      userId,
      scope,
      consent,
      login: loginForRequest(request, caller.login),
      nonce: mintNonce(entropy),
    });
  });

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/o/authorize',
    takePostedRequest,
    requireConsentCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const form = formOf(ctx);
      const content = requestSeal.open(form.text('request'), consentBinding(ctx, caller), now());
      if (content === undefined) throw requestExpiredError(message('consent.expired-advice'));
      const { request, effective } = await readRequest(ctx, { ...content, lengthError: undefined }, true);
      if (await authorization.isUsed(request, content.nonce)) throw requestUsedError(request);
      const text = consentText(ctx, request, content.shown);
      const scope = allowedScope(request.scope, form);
      const approval: Approval = {
        userId: caller.user.userId,
        scope,
        consent: 'asked',
        login: loginForRequest(request, caller.login),
        shownText: text.allowedPart(scope, content.shown),
        nonce: content.nonce,
      };
      const refusal = denialReason(form.text('allow'), approval, request);
      if (refusal === undefined) {
        requireOpenToUser(request, caller.user.userId);
        requireDelegable(request, approval.scope, caller.user.roles); // roles may have changed since the form was shown
        const isSameClient = request.client.document?.hash === content.documentHash;
        if (!isSameClient || !text.matches(content.shown)) return showConsentAgain(ctx, request, effective);
        return issueCode(ctx, caller, request, approval);
      }
      await authorization.revokeApproval(request, approval, ctx.state.metadata);
      const how = givesNoAccess(approval, request) ? 'every-scope-left-out' : 'refused';
      throw new AuthorizationError('access_denied', refusal, { rule: 'denied', how }, request);
    }),
  );

  /** Returns the text of the consent page, in the language of the submitted form, or else in the reader's language. */
  function consentText(ctx: RequestContext, request: AuthorizationRequest, formValue = ''): RequestText {
    const language = languageOfForm(formValue) ?? pageLanguage(ctx, settings);
    return requestText('authorize', language, request, describeScope, settings.scopeClaims, resources.detailTypes());
  }

  /** Redirects to a new form, because the text or the client's metadata document changed after the form was shown. */
  function showConsentAgain(ctx: RequestContext, { client }: AuthorizationRequest, effective: EffectiveRequest): void {
    flashChangedText(ctx.state.webSession, client);
    ctx.status = 303;
    ctx.redirect(urlAfterLogin(effective, undefined, loginSeal, now()));
  }

  /**
   * Continues a request that a client sends by POST (OpenID Connect Core §3.1.2.1) as a GET, because browsers do not
   * send this server's cookies with a POST from another site. Only the consent form has a CSRF token.
   */
  function takePostedRequest(ctx: RequestContext, next: () => Promise<void>): Promise<void> {
    if (ctx.state.encodedForm === undefined || formOf(ctx).text('csrf_token') !== '') return next();
    const parsedForm = parseParameters(ctx.state.encodedForm ?? '');
    if (!parsedForm.parameters.has('client_id')) return next();
    return continuePostedRequest(ctx, parsedForm);
  }

  /** Continues a request as a GET. A long signed request fits in a URL once it has been verified and sealed. */
  async function continuePostedRequest(ctx: RequestContext, parsedForm: ParsedParameters): Promise<void> {
    const { parameters, lengthError } = parsedForm;
    const isShort = lengthError === undefined && fitsInUrl('/o/authorize/', parameters);
    const effective = isShort ? undefined : (await readRequest(ctx, parsedForm, false)).effective;
    continueByGet(ctx, '/o/authorize/', effective?.continuationParameters ?? parameters);
  }

  /**
   * Attributes a refusal to the client in the request. Clients do not authenticate at this endpoint, so a request
   * counts as authenticated only if an owner of the client is logged in.
   */
  function setRefusalSubject(ctx: RequestContext, parameters: Parameters): void {
    ctx.state.refusalSubject = () => {
      const client = directory.find(parameters.get('client_id') ?? '');
      const isAuthenticated = client !== undefined && isOwner(client, ctx.state.webSession.loggedInUser()?.user.userId);
      return { clientId: client?.clientId ?? null, isAuthenticated, secrets: secretParameters(parameters) };
    };
  }

  function showConsent(
    ctx: RequestContext,
    request: AuthorizationRequest,
    effective: EffectiveRequest,
    caller: LoggedInUser,
  ): void {
    const locals: AuthorizeLocals = {
      ...pageContextFor(ctx, caller),
      request: requestSeal.seal(effective.continuationParameters, consentBinding(ctx, caller), now(), {
        shown: consentText(ctx, request).formValue,
        documentHash: request.client.document?.hash,
      }),
      ...describeApplication(request.client, caller.user, deps),
      destination: describeDestination(request, deps.issuer()),
      switchUserUrl: urlAfterLogin(effective, undefined, loginSeal, now()),
      resources: request.resource,
      update: describeUpdate(request),
      ...requestedData(
        request,
        caller.user,
        describeScope,
        settings.scopeClaims,
        groups.namesOf,
        resources.detailTypes(),
      ),
    };
    sendPage(ctx, pages.authorize(locals), 'anywhere');
  }

  async function issueCode(
    ctx: RequestContext,
    caller: LoggedInUser,
    request: AuthorizationRequest,
    approval: Approval,
  ): Promise<void> {
    limitCodes(ctx, caller, request);
    const client = await directory.record(request.client, userCommandContext(ctx, caller));
    if (client === undefined) throw clientRemovedError(request);
    requireEnabledClient(client);
    const context = userCommandContext(ctx, caller, observedClient(client));
    const response = await authorization.approve({ ...request, client }, approval, now(), context);
    if (response === undefined)
      throw (await authorization.isUsed(request, approval.nonce)) ? requestUsedError(request) : alreadyAnsweredError();
    sendAuthorizationResponse(ctx, response, pages);
  }

  /** Limits codes, because each adds a grant to the log, and a web page could request them without user interaction. */
  function limitCodes(ctx: RequestContext, { user }: LoggedInUser, request: AuthorizationRequest): void {
    try {
      limits.spend('codes-by-user', user.userId, ctx.state.once);
    } catch (error) {
      throw error instanceof TooManyAttemptsError ? tooManyCodesError(error, request) : error;
    }
  }

  return router.routes;
}

/** Parses a request. An unreadable request leads to an error page, not to a redirect to a URI in the request. */
function parseParameters(encoded: string): ParsedParameters {
  try {
    return parseForm(encoded);
  } catch (error) {
    if (error instanceof OAuthError)
      throw new UnusableRequestError(message('unusable.unreadable', { problem: error.message }), error.refusal);
    throw error;
  }
}
