import type { RateLimits } from '../../../platform/limits/rate-limits.ts';
import { TooManyAttempts } from '../../../platform/limits/too-many-attempts.ts';
import { clientAsRead } from '../../../domain/streams.ts';
import type { ClientId, EpochSeconds, UserId } from '../../../domain/values.ts';
import {
  requireDelegable,
  type Approval,
  type AuthorizationEndpoint,
} from '../../../oauth/endpoints/authorization-endpoint.ts';
import {
  AuthorizationRefused,
  readAuthorizationRequest,
  UnusableAuthorizationRequest,
  type AuthorizationRequest,
  type AuthorizationSettings,
} from '../../../oauth/endpoints/authorization-request.ts';
import { OAuthError } from '../../../oauth/endpoints/errors.ts';
import type { ClientLookup } from '../../../oauth/clients/client-authentication.ts';
import { mintNonce } from '../../../oauth/credentials/credentials.ts';
import { secretParameters, type Parameters } from '../../../oauth/endpoints/parameters.ts';
import { isLoopback } from '../../../oauth/clients/redirect-uris.ts';
import type { ScopeClaims } from '../../../oauth/openid/user-claims.ts';
import type { RequestSeal } from '../../../oauth/credentials/sealed-request.ts';
import type { LoginSeal } from '../../../oauth/openid/demanded-login.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { LiveGrant } from '../../../projections/live-grant.ts';
import type { User } from '../../../projections/users.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { authorizeOperation } from '../../openapi/oauth-api.ts';
import { requireLogin, redirectToLogin } from '../../pipeline/require-login.ts';
import { formOf, requireCsrfToken } from '../../pipeline/page-form.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { pageContextFor } from '../page-context.ts';
import { PageError } from '../../pipeline/page-error.ts';
import { parseForm, type ReadParameters } from '../../pipeline/protocol-parameters.ts';
import { sendAuthorizationResponse } from '../../pipeline/send-authorization-response.ts';
import { encodedQuery } from '../../pipeline/request-head.ts';
import type { Pages } from '../render.ts';
import {
  addressAfterLogin,
  authorizeAddress,
  continueByGet,
  queryOf,
  withoutContinuation,
} from './continued-request.ts';
import type { AuthorizeLocals } from './locals.ts';
import { requestedData } from './requested-data.ts';
import type { DescribeScope } from './scope-descriptions.ts';
import { sendPage } from '../send-page.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { createPageRouter, WITHOUT_CHANGE_LIMIT } from '../page-router.ts';
import type { Route } from '../../route.ts';

export interface AuthorizeRoutesParts {
  readonly authorization: AuthorizationEndpoint;
  readonly requestSeal: RequestSeal;
  readonly loginSeal: LoginSeal;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly clients: ClientLookup;
  /** The user's existing authorizations. */
  readonly grants: Pick<Grants, 'listByUser'>;
  readonly entropy: Entropy;
  readonly users: { find(userId: UserId): User | undefined };
  readonly pages: Pick<Pages, 'authorize' | 'formPost'>;
  readonly now: () => EpochSeconds;
  /** The URIs of the resource servers that a request may name. */
  readonly knownResources: () => readonly string[];
  readonly describeScope: DescribeScope;
  readonly settings: AuthorizationSettings & { readonly loginUrl: string; readonly scopeClaims: ScopeClaims };
}

/** The authorization endpoint and its consent page (RFC 6749 §3.1). */
export function authorizeRoutes(parts: AuthorizeRoutesParts): readonly Route[] {
  const { authorization, requestSeal, loginSeal, limits, clients, grants: liveGrants, entropy, users } = parts;
  const { pages, now, knownResources, describeScope, settings } = parts;
  const router = createPageRouter();

  function read(ctx: RequestContext, { parameters, tooLong }: ReadParameters): AuthorizationRequest {
    keepSubject(ctx, parameters);
    return readAuthorizationRequest(parameters, clients, settings, knownResources(), tooLong);
  }

  router.with({ openApi: [authorizeOperation(settings.pkceMethods)] }).get('/o/authorize', async (ctx) => {
    const received = readEncoded(encodedQuery(ctx));
    const request = read(ctx, received);
    const parameters = withoutContinuation(received.parameters);
    const continuation = received.parameters.get('continuation');
    const before = continuation && loginSeal.open(continuation, queryOf(parameters), now());
    const caller = ctx.state.webSession.loggedInUser();
    const known = caller && { ...caller, userId: caller.user.userId, roles: caller.user.roles };
    const next = await authorization.nextStep(request, known, before || undefined, now());
    if (caller === undefined || next.step === 'log-in') {
      const demanded = next.step === 'log-in' ? next.demanded : undefined;
      const target = addressAfterLogin(parameters, demanded, loginSeal);
      return redirectToLogin(ctx, settings.loginUrl, target, parameters.get('login_hint'));
    }
    if (next.step === 'ask') return ask(ctx, request, parameters, caller);
    const [{ userId }, { scope }, { consent }] = [caller.user, request, next];
    return issue(ctx, caller, request, { userId, scope, consent, login: caller.login, nonce: mintNonce(entropy) });
  });

  router.with(WITHOUT_CHANGE_LIMIT).post(
    '/o/authorize',
    takePostedRequest,
    requireCsrfToken,
    requireLogin(settings.loginUrl, async (ctx, caller) => {
      const form = formOf(ctx);
      const opened = requestSeal.open(form.text('request'), sealBinding(ctx, caller), now());
      if (opened === undefined) throw requestExpired();
      const request = read(ctx, { parameters: opened.parameters, tooLong: undefined });
      const leftOut = form.list('leave_out');
      const approval: Approval = {
        userId: caller.user.userId,
        scope: request.scope.filter((name) => name === 'openid' || !leftOut.includes(name)),
        consent: 'asked',
        login: caller.login,
        nonce: opened.nonce,
      };
      const refusal = denialReason(form.text('allow'), approval);
      if (refusal === undefined) {
        requireDelegable(request, approval.scope, caller.user.roles); // roles may have changed since the form was shown
        return issue(ctx, caller, request, approval);
      }
      await authorization.revokeApproval(approval, ctx.state.metadata);
      throw new AuthorizationRefused(
        'access_denied',
        refusal,
        { rule: 'denied', how: approval.scope.length === 0 ? 'every-scope-left-out' : 'refused' },
        request,
      );
    }),
  );

  /**
   * A request that a client sends by POST (OpenID Connect Core §3.1.2.1) continues as a GET, because browsers send no
   * cookies with a POST from another site. It is not the consent form, which has the session's token.
   */
  function takePostedRequest(ctx: RequestContext, next: () => Promise<void>): Promise<void> | void {
    const isConsent = ctx.state.encodedForm === undefined || formOf(ctx).text('csrf_token') !== '';
    if (isConsent) return next();
    const received = readEncoded(ctx.state.encodedForm ?? '');
    if (!received.parameters.has('client_id')) return next();
    if (received.tooLong !== undefined) read(ctx, received);
    return continueByGet(ctx, '/o/authorize/', received.parameters);
  }

  /**
   * Attributes a refusal to the client in the request. Clients don't authenticate here; only its owner, trying it out,
   * counts as proof.
   */
  function keepSubject(ctx: RequestContext, parameters: Parameters): void {
    ctx.state.refusalSubject = () => {
      const client = clients.find(parameters.get('client_id') ?? '');
      const isProven =
        client !== undefined &&
        client.ownerId !== null &&
        client.ownerId === ctx.state.webSession.loggedInUser()?.user.userId;
      return { clientId: client?.clientId ?? null, isProven, secrets: secretParameters(parameters) };
    };
  }

  function ask(ctx: RequestContext, request: AuthorizationRequest, parameters: Parameters, caller: LoggedInUser): void {
    const { client, redirectUri, resource } = request;
    const { userId } = caller.user;
    const owner = client.ownerId === null ? undefined : users.find(client.ownerId);
    const locals: AuthorizeLocals = {
      ...pageContextFor(ctx, caller),
      request: requestSeal.seal(parameters, sealBinding(ctx, caller), now()),
      application: {
        name: client.name,
        owner: owner?.username ?? 'the operator of this server',
        registeredAt: client.registeredAt as EpochSeconds,
        isNew: now() - client.registeredAt < NEW_FOR_SECONDS,
      },
      authorizedSince: firstAuthorizedAt(liveGrants.listByUser(userId, now()), client.clientId),
      switchUserUrl: authorizeAddress(queryOf(parameters)),
      destination: describeDestination(redirectUri),
      resources: resource,
      ...requestedData(request, caller.user, describeScope, settings.scopeClaims),
    };
    sendPage(ctx, pages.authorize(locals), 'client');
  }

  async function issue(
    ctx: RequestContext,
    caller: LoggedInUser,
    request: AuthorizationRequest,
    approval: Approval,
  ): Promise<void> {
    const context = userCommandContext(ctx, caller, clientAsRead(request.client));
    spendCode(ctx, caller, request);
    const response = await authorization.approve(request, approval, now(), context);
    if (response === undefined) throw alreadyAnswered();
    sendAuthorizationResponse(ctx, response, pages);
  }

  /** Each code adds a grant to the log, and a page can request codes without the user noticing. */
  function spendCode(ctx: RequestContext, { user }: LoggedInUser, request: AuthorizationRequest): void {
    try {
      limits.spend('codes-by-user', user.userId, ctx.state.once);
    } catch (error) {
      throw error instanceof TooManyAttempts ? tooManyCodes(error, request) : error;
    }
  }

  return router.routes;
}

/** Reported to the client (RFC 6749 §4.1.2.1). The redirect URI is valid at this point. */
function tooManyCodes(cause: TooManyAttempts, request: AuthorizationRequest): AuthorizationRefused {
  const { limit, retryAfterSeconds } = cause;
  const description = `too many codes were issued to this user; try again in ${retryAfterSeconds} seconds`;
  const refusal = { rule: 'rate-limit', limit, retryAfterSeconds } as const;
  return new AuthorizationRefused('temporarily_unavailable', description, refusal, request, { cause });
}

/** The consent page warns about applications that are newer than this. */
const NEW_FOR_SECONDS = 86_400;

/** When the user first authorized the application, considering active authorizations only. Null if there are none. */
function firstAuthorizedAt(grants: readonly LiveGrant[], clientId: ClientId): EpochSeconds | null {
  const first = grants.find((grant) => grant.clientId === clientId); // in log order
  return first === undefined ? null : (first.grantedAt as EpochSeconds);
}

function denialReason(allow: string, { scope }: Approval): string | undefined {
  if (!isApproval(allow)) return 'the resource owner denied the request';
  return scope.length === 0 ? 'the resource owner left out every scope' : undefined;
}

/** Accepts any button value, but not the usual values for "no". */
function isApproval(allow: string): boolean {
  return !['', 'false', '0', 'no'].includes(allow.toLowerCase());
}

/** An ambiguous request gets an error page rather than a redirect to an address that it names. */
function readEncoded(encoded: string): ReadParameters {
  try {
    return parseForm(encoded);
  } catch (error) {
    if (error instanceof OAuthError)
      throw new UnusableAuthorizationRequest(`The request could not be read: ${error.message}.`, error.refusal);
    throw error;
  }
}

/** Binds a consent form to the session and the user it was shown to. */
function sealBinding(ctx: RequestContext, { user }: LoggedInUser): string {
  return `${ctx.state.webSession.csrfToken()} ${user.userId}`;
}

function describeDestination(redirectUri: string): AuthorizeLocals['destination'] {
  const { protocol, host } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') return { kind: 'app', name: protocol.slice(0, -1) };
  return { kind: isLoopback(redirectUri) ? 'loopback' : 'web', name: host };
}

function requestExpired(): PageError {
  return new PageError(
    400,
    'This request is no longer valid',
    'It has expired, or it belongs to a different session. Nothing was authorized.',
    'Go back to the application and start again.',
    { rule: 'request-aged' },
  );
}

/** The form was submitted before, and its code has been redeemed or has expired. */
function alreadyAnswered(): PageError {
  return new PageError(
    409,
    'You have already answered this request',
    'The application received your first answer. Nothing was changed.',
    'Go back to the application. If it is still waiting, start again there.',
    { rule: 'request-answered' },
  );
}
