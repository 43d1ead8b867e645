import type { Config } from '../../../config/config.ts';
import { usedSecondFactor } from '../../../domain/login.ts';
import { isOpenTo } from '../../../domain/members.ts';
import { observedClient } from '../../../domain/streams.ts';
import { message, type Message } from '../../../language/message.ts';
import type { ClientLookup } from '../../../oauth/clients/secret-authentication.ts';
import type { DeviceApprovals } from '../../../oauth/devices/device-approvals.ts';
import { VERIFICATION_PATH } from '../../../oauth/devices/device-authorization.ts';
import { deviceCodeExpiry, type DeviceRequest } from '../../../oauth/devices/device-codes.ts';
import type { DeviceForms } from '../../../oauth/devices/device-forms.ts';
import { formatUserCode } from '../../../oauth/devices/user-codes.ts';
import { delegationRefusal } from '../../../oauth/endpoints/restricted-scopes.ts';
import { NO_REQUESTED_CLAIMS } from '../../../oauth/openid/claims-parameter.ts';
import type { ScopeClaims } from '../../../oauth/openid/user-claims.ts';
import type { KnownResources } from '../../../oauth/resources/known-resources.ts';
import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { Client } from '../../../projections/clients.ts';
import { formOf, requireConsentCsrfToken } from '../../pipeline/page-form.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { queryOf } from '../../pipeline/query.ts';
import { pageLanguage } from '../../pipeline/reader-language.ts';
import { redirectToLogin, requireLogin } from '../../pipeline/require-login.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import type { Route } from '../../route.ts';
import { redirectToSecondStep } from '../account/begin-session.ts';
import {
  allowedScope,
  consentBinding,
  describeApplication,
  isApproval,
  requestExpiredError,
  type ApplicationDeps,
} from '../authorize/consent.ts';
import { requestedData } from '../authorize/requested-data.ts';
import type { DescribeScope } from '../authorize/scope-descriptions.ts';
import { flashChangedText, languageOfForm, requestText, type RequestText } from '../authorize/shown-text.ts';
import { browserName } from '../browser-name.ts';
import { pageContextFor } from '../page-context.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Pages } from '../render.ts';
import type { Groups } from '../../../projections/groups.ts';
import { sendPage } from '../send-page.ts';
import { readAnswer, rememberAnswer } from './last-answer.ts';

export interface DeviceRoutesDeps extends ApplicationDeps {
  readonly deviceApprovals: DeviceApprovals;
  readonly deviceForms: DeviceForms;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly clients: ClientLookup;
  readonly addressOf: (ctx: RequestContext) => string;
  readonly pages: Pick<Pages, 'device' | 'deviceConsent' | 'deviceDone'>;
  readonly groups: Pick<Groups, 'namesOf'>;
  readonly resources: Pick<KnownResources, 'detailTypes'>;
  readonly describeScope: DescribeScope;
  readonly settings: Pick<Config, 'languages'> & { readonly loginUrl: string; readonly scopeClaims: ScopeClaims };
}

const DONE_PATH = `${VERIFICATION_PATH}done/`;

/** The same error for every unusable code, because the specific cause would help attackers guess codes. */
const UNKNOWN_CODE = message('device.unknown-code');

/** Returns the routes for the pages where users approve device requests (RFC 8628 §3.3). */
export function deviceRoutes(deps: DeviceRoutesDeps): readonly Route[] {
  const {
    deviceApprovals,
    deviceForms,
    limits,
    clients,
    groups,
    addressOf,
    now,
    pages,
    resources,
    describeScope,
    settings,
  } = deps;
  const router = createPageRouter();

  function showCodeForm(ctx: RequestContext, caller: LoggedInUser, userCode: string, error: Message | null): void {
    if (error !== null) ctx.status = 422;
    sendPage(ctx, pages.device({ ...pageContextFor(ctx, caller), userCode, error }));
  }

  /** Returns the application, or undefined if it is no longer registered for the device grant. */
  function findClient({ clientId }: DeviceRequest): Client | undefined {
    const client = clients.find(clientId);
    return client?.grantTypes.includes('device-code') === true ? client : undefined;
  }

  /** Returns the text of the consent page, in the language of the submitted form, or else in the reader's language. */
  function consentText(ctx: RequestContext, request: DeviceRequest, client: Client, formValue = ''): RequestText {
    const language = languageOfForm(formValue) ?? pageLanguage(ctx, settings);
    const { scope, resource, details = [] } = request;
    const requestedAccess = { client, scope, resource, details, openid: openIdParameters(request) };
    return requestText(
      'device-consent',
      language,
      requestedAccess,
      describeScope,
      settings.scopeClaims,
      resources.detailTypes(),
    );
  }

  function showConsent(ctx: RequestContext, caller: LoggedInUser, request: DeviceRequest, client: Client): void {
    const { scope, resource, details = [], agent, address, requestedAt } = request;
    sendPage(
      ctx,
      pages.deviceConsent({
        ...pageContextFor(ctx, caller),
        ...describeApplication(client, caller.user, deps),
        ...requestedData(
          { scope, resource, details, openid: openIdParameters(request) },
          caller.user,
          describeScope,
          settings.scopeClaims,
          groups.namesOf,
          resources.detailTypes(),
        ),
        request: deviceForms.seal(request, consentText(ctx, request, client).formValue, consentBinding(ctx, caller)),
        userCode: formatUserCode(request.userCode),
        device: {
          agent: agent === null ? null : browserName(agent),
          address,
          isHere: address === addressOf(ctx),
          requestedAt,
          expiresAt: deviceCodeExpiry(request),
        },
        resources: resource,
      }),
    );
  }

  router.get(
    '/o/device',
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const enteredCode = queryOf(ctx).text('user_code') ?? '';
      if (enteredCode === '') return showCodeForm(ctx, caller, '', null);
      const answer = readAnswer(ctx, enteredCode, caller.user.userId);
      const answeredClient = answer && clients.find(answer.clientId);
      if (answeredClient !== undefined) return redirectToDone(ctx, answeredClient, answer?.isApproved === true);
      const sender = { userId: caller.user.userId, address: addressOf(ctx) };
      const request = await deviceApprovals.find(enteredCode, sender, now());
      const client = request && findClient(request);
      if (request === undefined || client === undefined) return showCodeForm(ctx, caller, enteredCode, UNKNOWN_CODE);
      const missingStep = missingLoginStep(request, client, caller);
      if (missingStep === 'login') return redirectToLogin(ctx, settings.loginUrl, consentUrl(request));
      if (missingStep === 'second-step') return redirectToSecondStep(ctx, consentUrl(request));
      requireAllowed(request, client, caller);
      // The request is claimed last, because a claim reserves the request for this user.
      if (!deviceApprovals.claim(request, sender.userId)) return showCodeForm(ctx, caller, enteredCode, UNKNOWN_CODE);
      return showConsent(ctx, caller, request, client);
    }),
  );

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/o/device',
    requireConsentCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const form = formOf(ctx);
      const openedForm = deviceForms.open(form.text('request'), consentBinding(ctx, caller), now());
      const client = openedForm && findClient(openedForm.request);
      if (openedForm === undefined || client === undefined) throw requestExpiredError(message('device.expired-advice'));
      const { request } = openedForm;
      const text = consentText(ctx, request, client, openedForm.shown);
      const { userId } = caller.user;
      const context = userCommandContext(ctx, caller, observedClient(client));
      const scope = allowedScope(request.scope, form);
      const isEmpty = scope.length === 0 && request.details === undefined;
      const isApproved = isApproval(form.text('allow')) && !isEmpty;
      limits.spend('codes-by-user', userId, ctx.state.once);
      if (isApproved) {
        // The application or the user may have changed since the form was shown.
        if (missingLoginStep(request, client, caller) !== undefined) return ctx.redirect(consentUrl(request));
        requireAllowed({ scope }, client, caller);
        if (!text.matches(openedForm.shown)) {
          flashChangedText(ctx.state.webSession, client);
          return ctx.redirect(consentUrl(request));
        }
      }
      const approval = { userId, scope, login: caller.login, shownText: text.allowedPart(scope, openedForm.shown) };
      const outcome = isApproved
        ? await deviceApprovals.approve(request, approval, now(), context)
        : await deviceApprovals.deny(request, userId, now(), context);
      if (outcome === 'answered') throw alreadyAnsweredError();
      rememberAnswer(ctx, request.userCode, { userId, clientId: client.clientId, isApproved });
      redirectToDone(ctx, client, isApproved);
    }),
  );

  router.get(
    '/o/device/done',
    requireLogin(settings.loginUrl, (ctx, caller) => sendPage(ctx, pages.deviceDone(pageContextFor(ctx, caller)))),
  );

  return router.routes;
}

/** Redirects to the final page, which shows the user's decision. */
function redirectToDone(ctx: RequestContext, { name }: Client, isApproved: boolean): void {
  ctx.state.webSession.flash(
    message(isApproved ? 'device-done.approved' : 'device-done.denied', { application: name }),
  );
  ctx.redirect(DONE_PATH);
}

/** Device requests cannot contain OpenID Connect parameters. */
const NO_OPENID_PARAMETERS = { nonce: undefined, claims: NO_REQUESTED_CLAIMS, acrValues: [], idTokenHint: undefined };

const openIdParameters = ({ scope }: DeviceRequest) => (scope.includes('openid') ? NO_OPENID_PARAMETERS : null);

function consentUrl({ userCode }: DeviceRequest): string {
  return `${VERIFICATION_PATH}?user_code=${formatUserCode(userCode)}`;
}

/**
 * Returns the step that the user must complete before approving the request: a new login, or the second step of the
 * login. Returns undefined if the login is sufficient. The counterpart for authorization requests is `reasonToLogIn`.
 */
function missingLoginStep(
  { scope }: Pick<DeviceRequest, 'scope'>,
  { secondFactorRequired }: Client,
  { login }: LoggedInUser,
): 'login' | 'second-step' | undefined {
  if (login === undefined) return scope.includes('openid') || secondFactorRequired ? 'login' : undefined;
  return secondFactorRequired && !usedSecondFactor(login) ? 'second-step' : undefined;
}

/**
 * Requires that the user may authorize the application.
 * @throws PageError if the application is disabled or not open to the user, or if the user cannot delegate the scope
 */
function requireAllowed({ scope }: Pick<DeviceRequest, 'scope'>, client: Client, { user }: LoggedInUser): void {
  if (client.disabledAt !== undefined)
    throw new PageError(
      403,
      message('device.disabled-title', { application: client.name }),
      message('device.disabled'),
      message('device.disabled-advice'),
      { rule: 'client-disabled' },
    );
  if (!isOpenTo(client, user.userId))
    throw new PageError(
      403,
      message('test-mode.title', { application: client.name }),
      message('device.test-mode'),
      message('test-mode.ask'),
      { rule: 'client-in-test-mode', what: 'authorization' },
    );
  const refusal = delegationRefusal(scope, user.roles);
  if (refusal?.rule === 'scope-needs-client')
    throw new PageError(
      403,
      message('device.not-allowed-title'),
      message('device.asks-to-administer'),
      message('device.asks-to-administer-advice'),
      refusal,
    );
  if (refusal !== undefined)
    throw new PageError(
      403,
      message('device.not-allowed-title'),
      message('device.asks-to-audit'),
      message('device.asks-to-audit-advice'),
      refusal,
    );
}

function alreadyAnsweredError(): PageError {
  return new PageError(
    409,
    message('device.answered-title'),
    message('device.answered'),
    message('device.answered-advice'),
    { rule: 'request-answered' },
  );
}
