import Koa from 'koa';
import type { Config } from '../config/config.ts';
import { effectiveSecurity } from '../domain/security-profile.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { Freshness } from '../event-store/freshness.ts';
import type { OperationDeps } from '../operations/operation-context.ts';
import { requestIdGenerator } from '../oauth/credentials/credentials.ts';
import type { CatchUpIfGenuine } from '../oauth/credentials/unknown-credentials.ts';
import type { AuthorizationEndpoint } from '../oauth/endpoints/authorization-endpoint.ts';
import { protectedResourceMetadataUrl } from '../oauth/endpoints/protected-resource.ts';
import type { TokenEndpoint } from '../oauth/endpoints/token-endpoint.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { RequestLog } from '../platform/metrics/request-lines.ts';
import type { RotatingKey } from '../platform/keys/rotating-key.ts';
import type { Clock, Entropy } from '../platform/ports.ts';
import { SESSION_COOKIE } from '../policy/open-api-security.ts';
import { apiRoutes, sampleApiRoutes, type ApiDeps } from './api/routes.ts';
import { describeApi, permittedOperations, type OpenApiDocument } from './openapi/document.ts';
import { createBrand } from './pages/brand.ts';
import { createMaySeeRefusal } from './pages/refusals/refusal-readers.ts';
import { createPages } from './pages/render.ts';
import { pagesRoutes, type PagesDeps } from './pages/routes.ts';
import { bearerToken } from './pipeline/bearer-token.ts';
import { clientAddress } from './pipeline/client-address.ts';
import { clientCertificateReader, offerClientCertificate } from './pipeline/client-certificate.ts';
import { compose } from './pipeline/compose.ts';
import { cookieSession, type CookieSessionDeps } from './pipeline/cookie-session.ts';
import { createCookieSigner } from './pipeline/cookie-signer.ts';
import { crossOrigin, restrictToCaller } from './pipeline/cross-origin.ts';
import { dispatch, type RouteHandlers } from './pipeline/dispatch.ts';
import { errorResponse, isConnectionError, type ErrorLog } from './pipeline/error-response.ts';
import { every15Seconds } from './pipeline/event-stream.ts';
import { limitChanges } from './pipeline/limit-changes.ts';
import { observeRequests } from './pipeline/observe-requests.ts';
import { readUpload } from './pipeline/upload.ts';
import { readForm, readFormForMountedApps } from './pipeline/page-form.ts';
import type { PublicBases } from './pipeline/dpop-proof.ts';
import { createProofVerifier } from './pipeline/proof-verifier.ts';
import { readinessProblem, type ReadinessDeps } from './pipeline/readiness.ts';
import { createRefusalRecorder, type RefusalRecorderDeps } from './pipeline/refusal-recorder.ts';
import { relaxHeadersForMountedApps, strictHeaders } from './pipeline/response-headers.ts';
import { retryWhenOutdated } from './pipeline/retry-when-outdated.ts';
import { createRouteTable } from './pipeline/route-table.ts';
import type { Handler, RequestContext, RequestState } from './pipeline/state.ts';
import { catchUpFirst, catchUpForSessions, requireCurrent } from './pipeline/stay-current.ts';
import { serveStatic, STATIC_FILES } from './pipeline/static.ts';
import { traceRequests } from './pipeline/trace-requests.ts';
import type { PresentedDetails } from '../oauth/details/presented-details.ts';
import type { PresentedTokens } from '../oauth/credentials/presented-tokens.ts';
import { createAccessTokenLookup, withCatchUp, withFreshnessCheck } from './protocol/access-token-lookup.ts';
import { protocolRoutes, type ProtocolDeps } from './protocol/routes.ts';
import type { Route } from './route.ts';

type RouteDeps = ProtocolDeps & ApiDeps & PagesDeps;

/** The names of the dependencies that `createApp` creates itself. */
type SharedDepName =
  | 'addressOf'
  | 'brand'
  | 'description'
  | 'exposition'
  | 'grantTypes'
  | 'heartbeat'
  | 'now'
  | 'operationDeps'
  | 'pages'
  | 'proofs'
  | 'publicBases'
  | 'readinessProblem'
  | 'resourceMetadata'
  | 'sampleApi'
  | 'sendJson'
  | 'settings'
  | 'stopping'
  | 'upstreamMeter'
  | 'tokens'
  | 'checkpoints';

type ProjectionName =
  | 'accessTokens'
  | 'activity'
  | 'clientDomains'
  | 'clients'
  | 'exchangePolicies'
  | 'exchanges'
  | 'grants'
  | 'groups'
  | 'logouts'
  | 'passkeys'
  | 'secondFactors'
  | 'trustedIssuers'
  | 'upstreamAccounts'
  | 'upstreamProviders'
  | 'userActivity'
  | 'users';

/** The dependencies of the routes and of the common steps, except those that `createApp` creates itself. */
export type AppDeps = Omit<RouteDeps, SharedDepName | ProjectionName> &
  Partial<Pick<RouteDeps, 'brand'>> &
  ReadinessDeps &
  Pick<RefusalRecorderDeps, 'explanations' | 'postMortem'> &
  OperationDeps &
  Pick<CookieSessionDeps, 'notifyOfLogin' | 'loginSessions' | 'pendingLogins'> & {
    readonly config: Config;
    readonly clock: Clock;
    readonly entropy: Entropy;
    readonly metrics: Pick<Metrics, 'ticks' | 'requests' | 'exposition' | 'upstream'>;
    readonly cookieKeys: { readonly cookies: RotatingKey };
    readonly projections: Pick<RouteDeps, ProjectionName>;
    readonly inspection: Pick<RouteDeps, 'checkpoints'>;
    readonly limits: RateLimits;
    readonly authorization: AuthorizationEndpoint;
    readonly token: TokenEndpoint;
    readonly presentedTokens: PresentedTokens;
    readonly presentedDetails: PresentedDetails;
    /** Like `catchUpIfGenuine`, present only if other nodes append to the same log. */
    readonly freshness?: Freshness | undefined;
    readonly catchUpIfGenuine?: CatchUpIfGenuine | undefined;
  };

/**
 * Creates the Koa application. A request passes through `handlers` in order; `dispatch` runs the steps of its route.
 * Routers mounted after the application find the caller in `ctx.state.principal`.
 * @param stopping aborted when event streams and other endless responses must end
 * @param requestLog receives a line for each request
 * @throws PolicyDeclarationError if a route does not match its description: see `permittedOperations`
 */
export function createApp(
  deps: AppDeps,
  log: ErrorLog,
  stopping: AbortSignal = new AbortController().signal,
  requestLog?: RequestLog,
): Koa<RequestState> {
  const { config, clock, entropy, cookieKeys, metrics, projections, freshness, catchUpIfGenuine } = deps;
  const { brand = createBrand(config) } = deps;
  const { activity, clients, grants, groups, logouts, passkeys, secondFactors, userActivity, users } = projections;
  const app = new Koa<RequestState>();
  app.keys = createCookieSigner(cookieKeys.cookies);
  app.on('error', (error: unknown) => {
    if (!isConnectionError(error)) log.error({ err: error }, 'response failed');
  });
  const headers = strictHeaders({ https: isHttps(config) });
  const now = (): EpochSeconds => Math.floor(clock.now() / 1000) as EpochSeconds;
  const addressOf = (ctx: Pick<RequestContext, 'req'>): string => clientAddress(ctx.req, config.trustedProxies);
  const localTokens = createAccessTokenLookup(deps.presentedTokens, grants, deps.presentedDetails, deps.issuer, now);
  const tokens = freshness === undefined ? localTokens : withFreshnessCheck(localTokens, freshness);
  const bases = (): PublicBases => {
    const mtlsBase = deps.certificateSupport.mtlsBase();
    return mtlsBase === null ? [deps.issuer()] : [deps.issuer(), mtlsBase];
  };
  const proofs = createProofVerifier(deps.dpopProofs, bases, now, (clientId) => {
    const client = clients.find(clientId);
    return client && effectiveSecurity(client, config).algorithms;
  });
  const lookup = catchUpIfGenuine === undefined ? tokens : withCatchUp(tokens, catchUpIfGenuine);
  const readBearerToken = bearerToken(lookup, { proofs });
  const pages = createPages({ now, languages: config.languages, brand });
  const server = {
    issuer: deps.issuer(),
    grantTypes: deps.token.grantTypes,
    sessionCookie: SESSION_COOKIE[isHttps(config) ? 'https' : 'http'],
  };
  let cache: { readonly scopes: Config['scopes']; readonly document: OpenApiDocument } | undefined;
  /** Returns the API description, which is slow to generate and is therefore cached until the scopes change. */
  function description(): OpenApiDocument {
    const { scopes } = config;
    if (cache?.scopes !== scopes) cache = { scopes, document: describeApi(operations, { ...server, scopes }) };
    return cache.document;
  }

  const shared: Omit<RouteDeps, 'sampleApi'> = {
    ...deps,
    accessTokens: projections.accessTokens,
    activity,
    addressOf,
    brand,
    checkpoints: deps.inspection.checkpoints,
    clientDomains: projections.clientDomains,
    clients,
    description,
    exchangePolicies: projections.exchangePolicies,
    exchanges: projections.exchanges,
    exposition: metrics.exposition,
    grantTypes: deps.token.grantTypes,
    grants,
    groups,
    heartbeat: every15Seconds,
    logouts,
    now,
    operationDeps: deps,
    pages,
    passkeys,
    proofs,
    secondFactors,
    publicBases: bases,
    readinessProblem: () => readinessProblem(deps),
    resourceMetadata: protectedResourceMetadataUrl(deps.issuer()),
    sendJson: headers.sendJson,
    settings: config,
    stopping,
    tokens,
    trustedIssuers: projections.trustedIssuers,
    upstreamAccounts: projections.upstreamAccounts,
    upstreamMeter: metrics.upstream,
    upstreamProviders: projections.upstreamProviders,
    userActivity,
    users,
  };
  const routes = [
    ...protocolRoutes(shared),
    ...apiRoutes(shared),
    ...pagesRoutes({ ...shared, sampleApi: sampleApiRoutes(shared) }),
  ];
  for (const { path } of [...routes, STATIC_FILES]) metrics.requests.declare(path);
  const table = createRouteTable(routes);
  const operations = permittedOperations(table);
  const refusals = createRefusalRecorder({ ...deps, clients, now, log });

  const identifyUser = [
    readBearerToken,
    ...cookieSession(app, {
      notifyOfLogin: deps.notifyOfLogin,
      loginSessions: deps.loginSessions,
      users,
      secondFactorPolicy: deps.secondFactorPolicy,
      pendingLogins: deps.pendingLogins,
      now,
      mintCsrfToken: () => entropy.bytes(CSRF_TOKEN_BYTES).toString('base64url'),
      secure: isHttps(config),
      settings: config,
    }),
  ];
  // Only a shared log needs these steps.
  const freshnessSteps = freshness === undefined ? [] : [requireCurrent(freshness)];
  const catchUpSteps = freshness === undefined ? [] : [catchUpFirst(freshness)];
  const catchUpForMountedApps = freshness === undefined ? [] : [catchUpForSessions(freshness)];
  const formSteps = [readForm(config.bodyLimitBytes), retryWhenOutdated, limitChanges(deps.limits)];
  const fileSteps = [readUpload, ...formSteps];

  /** Returns the steps that run before the route's own steps. */
  function preparationSteps({ authentication, method, takesFile }: Route): readonly Handler[] {
    switch (authentication) {
      case 'none':
        return [];
      case 'client': // the route itself authenticates the client, whose credentials may be in the body
        return freshnessSteps;
      case 'bearer':
        return [...freshnessSteps, readBearerToken, restrictToCaller(clients)];
      case 'session':
        return [
          ...catchUpSteps,
          ...identifyUser,
          ...(method === 'GET' ? [retryWhenOutdated] : takesFile === true ? fileSteps : formSteps),
        ];
    }
  }

  const handlers = [
    observeRequests(metrics, requestLog),
    headers.middleware,
    errorResponse({
      refusals,
      pages,
      log,
      mintRequestId: requestIdGenerator(entropy),
      addressOf,
      maySeeRefusal: createMaySeeRefusal(clients),
      loginUrl: config.loginUrl,
      ticks: clock.ticks,
      refusalResponse: deps.authorization.refusalResponse,
      endpointNear: table.nearest,
    }),
    offerClientCertificate(clientCertificateReader(config.clientCertificateProxies, now)),
    dispatch(table, handlersFor),
    serveStatic(brand.assets),
    ...catchUpForMountedApps,
    ...identifyUser,
    readFormForMountedApps(config.bodyLimitBytes),
    retryWhenOutdated,
    relaxHeadersForMountedApps,
  ];
  const tracing = traceRequests();
  if (tracing !== undefined) app.use(tracing);
  app.use(Object.assign(compose(handlers), { routes }));
  return app;

  function handlersFor(route: Route): RouteHandlers {
    const { cors, pipeline } = route;
    const steps = compose([...preparationSteps(route), ...pipeline]);
    if (cors === undefined) return { cors: undefined, run: steps };
    const allowOrigins = crossOrigin(cors, clients);
    return { cors: allowOrigins, run: compose([allowOrigins, steps]) };
  }
}

const CSRF_TOKEN_BYTES = 32;
const isHttps = ({ issuer }: Config): boolean => issuer?.startsWith('https:') === true;
