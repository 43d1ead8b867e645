import type { KeyObject } from 'node:crypto';
import Keygrip from 'keygrip';
import Koa from 'koa';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { AccountExport } from '../accounts/account-export.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Attestation } from '../audit/proofs/attestation.ts';
import type { GuardedPasswords } from '../accounts/guarded-passwords.ts';
import type { LoginSessions } from '../accounts/login-sessions.ts';
import type { PasskeyLogins } from '../accounts/passkeys.ts';
import type { Setup } from '../accounts/setup.ts';
import type { Config } from '../config/config.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { PasswordHashing } from '../platform/hashing/password-hashing.ts';
import type { AuthorizationEndpoint } from '../oauth/endpoints/authorization-endpoint.ts';
import { mintId, requestIdGenerator } from '../oauth/credentials/credentials.ts';
import { protectedResourceMetadataUrl } from '../oauth/endpoints/protected-resource.ts';
import type { GrantCommands } from '../oauth/grant-types/grant-type.ts';
import type { IntrospectionEndpoint } from '../oauth/endpoints/introspection.ts';
import type { PostMortem } from '../oauth/grant-types/post-mortem.ts';
import type { Registration } from '../oauth/clients/registration.ts';
import type { RevocationEndpoint } from '../oauth/endpoints/revocation.ts';
import type { RequestSeal } from '../oauth/credentials/sealed-request.ts';
import type { SigningKeys } from '../oauth/credentials/signing-keys.ts';
import type { TokenEndpoint } from '../oauth/endpoints/token-endpoint.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { RequestLog } from '../platform/metrics/request-lines.ts';
import type { ServiceState } from '../platform/metrics/state-gauges.ts';
import { SESSION_COOKIE } from '../policy/open-api-security.ts';
import type { Clock, Entropy } from '../platform/ports.ts';
import type { AccessTokens } from '../projections/access-tokens.ts';
import type { Activity } from '../projections/activity.ts';
import type { Clients } from '../projections/clients.ts';
import type { Grants } from '../projections/grants.ts';
import type { Groups } from '../projections/groups.ts';
import type { Passkeys } from '../projections/passkeys.ts';
import type { Sessions } from '../projections/sessions.ts';
import type { Users } from '../projections/users.ts';
import type { Explanations } from '../oauth/refusals/explanations.ts';
import { effectiveSettings } from '../config/effective-settings.ts';
import { describeApi } from './openapi/document.ts';
import { readAssets } from './pages/assets.ts';
import type { ProjectionsAsOf } from './pages/audit/as-of.ts';
import { clientAddress } from './pipeline/client-address.ts';
import { compose } from './pipeline/compose.ts';
import { isConnectionError } from './pipeline/connection-error.ts';
import { dispatch } from './pipeline/dispatch.ts';
import { every15Seconds } from './pipeline/event-stream.ts';
import { createHealthFigures } from './pages/admin/health-figures.ts';
import { accessTokenLookup } from './protocol/access-token-lookup.ts';
import { bearerToken } from './pipeline/bearer-token.ts';
import { crossOrigin, restrictToCaller } from './pipeline/cross-origin.ts';
import { errorResponse, type ErrorLog } from './pipeline/error-response.ts';
import { parseFormForMountedApps, readForms } from './pipeline/page-form.ts';
import { limitChanges } from './pipeline/limit-changes.ts';
import { observeRequests } from './pipeline/observe-requests.ts';
import { retryWhenOutdated } from './pipeline/retry-when-outdated.ts';
import { relaxHeadersForMountedApps, strictHeaders } from './pipeline/response-headers.ts';
import { traceRequests } from './pipeline/trace-requests.ts';
import { webSession } from './pipeline/web-session.ts';
import { readinessProblem } from './pipeline/readiness.ts';
import { createRefusalRecorder } from './pipeline/refusal-recorder.ts';
import { createRenderer } from './pages/render.ts';
import { createRepeatedForms } from './pipeline/repeated-forms.ts';
import { adminRoutes } from './pages/admin/admin.ts';
import { apiDescriptionRoutes } from './pages/api-description.ts';
import { loginRoutes } from './pages/account/login.ts';
import { applicationRoutes } from './pages/applications/applications.ts';
import { auditRoutes } from './pages/audit/audit.ts';
import { authorizeRoutes } from './pages/authorize/authorize.ts';
import { authorizedApplicationsRoutes } from './pages/account/authorized-tokens.ts';
import { eventRoutes } from './api/events.ts';
import { healthRoutes } from './api/health.ts';
import { homeRoutes } from './pages/home.ts';
import { logRoutes } from './api/log.ts';
import { openApiRoutes } from './protocol/open-api.ts';
import { accountRoutes } from './pages/account/account.ts';
import { passkeyRoutes } from './pages/account/passkeys.ts';
import { protocolRoutes } from './protocol/protocol.ts';
import { protectedResourceRoutes } from './protocol/protected-resource.ts';
import { sampleApiRoutes } from './api/sample-api.ts';
import type { Handler, RequestContext, RequestState } from './pipeline/state.ts';
import { scopeDescriptions } from './pages/authorize/scope-descriptions.ts';
import { createSecretsShownOnce } from './pages/applications/secrets-shown-once.ts';
import { serveStatic } from './pipeline/static.ts';

/** What HTTP is put in front of. */
export interface AppParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly metrics: Pick<Metrics, 'ticks' | 'process' | 'requests' | 'exposition'>;
  readonly state: ServiceState;
  readonly keys: Readonly<Record<'cookies' | 'secretsShownOnce' | 'repeatedForms', KeyObject>>;
  readonly issuer: () => string;
  readonly knownResources: () => readonly string[];
  readonly signingKeys: Pick<SigningKeys, 'published'>;
  readonly log: Pick<
    EventLog,
    'head' | 'readAll' | 'readBackwards' | 'readStream' | 'readStreamBackwards' | 'subscribe'
  >;
  readonly attestation: Attestation;
  readonly inspection: { readonly checkpoints: { count(): number } };
  readonly projectionsAsOf: ProjectionsAsOf;
  readonly projector: { position(): number };
  readonly isLogWritable: () => boolean;
  readonly space: { isLow(): boolean };
  readonly projections: {
    readonly clients: Clients;
    readonly users: Users;
    readonly groups: Groups;
    readonly passkeys: Passkeys;
    readonly grants: Grants;
    readonly accessTokens: AccessTokens;
    readonly activity: Activity;
    readonly sessions: Pick<Sessions, 'all'>;
  };
  readonly accounts: Accounts;
  readonly accountExport: AccountExport;
  readonly hashing: Pick<PasswordHashing, 'hasherFor'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly passwords: GuardedPasswords;
  readonly logIns: LoginSessions;
  readonly passkeyLogIns: PasskeyLogins;
  readonly setup: Setup;
  readonly registration: Registration;
  readonly grants: GrantCommands;
  readonly authorization: AuthorizationEndpoint;
  readonly requestSeal: RequestSeal;
  readonly token: TokenEndpoint;
  readonly grantTypes: readonly string[];
  readonly revocation: RevocationEndpoint;
  readonly introspection: IntrospectionEndpoint;
  readonly explanations: Explanations;
  readonly postMortem: PostMortem;
  readonly tokensInForce: Pick<AccessTokens, 'find'>;
}

/**
 * The Koa application, its middleware in the order in which a request meets it. The endpoints that
 * clients call come before whatever only browsers need: no cookie is looked at for a token.
 * Routers added behind it find out who is asking from `ctx.state.principal`.
 * @param stopping aborts when answers that never end by themselves should end
 * @param requestLog takes a line for each request; left out: nobody does
 * @throws PolicyDeclarationError a route of the API is declared without its policy, or described wrongly
 */
export function createApp(
  parts: AppParts,
  log: ErrorLog,
  stopping: AbortSignal = new AbortController().signal,
  requestLog?: RequestLog,
): Koa<RequestState> {
  const { config, keys, projections } = parts;
  const app = new Koa<RequestState>();
  const routers: Parameters<typeof describeApi>[0][number][] = [];
  app.keys = new Keygrip([keys.cookies.export().toString('base64url')], 'sha256');
  app.on('error', (error: unknown) => {
    if (!isConnectionError(error)) log.error({ err: error }, 'response failed');
  });
  const assets = readAssets();
  const pages = createRenderer(assets);
  const now = (): EpochSeconds => Math.floor(parts.clock.now() / 1000) as EpochSeconds;

  const addressOf = (ctx: Pick<RequestContext, 'req'>): string => clientAddress(ctx.req, config.trustedProxies);
  const tracing = traceRequests();
  if (tracing !== undefined) app.use(tracing);
  const headers = strictHeaders({ https: isHttps(config) });
  const refusals = createRefusalRecorder({ ...parts, now, log });
  const tokens = accessTokenLookup(parts.tokensInForce, parts.issuer, now);
  const resourceMetadata = protectedResourceMetadataUrl(parts.issuer());
  const { sendJson: answerJson } = headers;
  const ofSampleApi = { ...parts, ...projections, tokens, addressOf, resourceMetadata, answerJson, settings: config };
  const sampleApi = sampleApiRoutes(ofSampleApi);
  const describeScope = scopeDescriptions(config.scopes, sampleApi);
  const secretsShownOnce = createSecretsShownOnce({ key: keys.secretsShownOnce, entropy: parts.entropy, now });
  const repeatedForms = createRepeatedForms(keys.repeatedForms, parts.entropy);
  const ofPages = {
    ...parts,
    ...projections,
    liveGrants: projections.grants,
    grants: parts.grants,
    pages,
    now,
    settings: config,
    secretsShownOnce,
    repeatedForms,
  };
  const mintCsrfToken = (): string => parts.entropy.bytes(CSRF_TOKEN_BYTES).toString('base64url');
  const ofPeople = { ...ofPages, addressOf, mintBrowserId: () => mintId(parts.entropy) };
  const currentObstacle = (): string | undefined => readinessProblem(parts);
  const healthFigures = createHealthFigures(parts);
  const handlers = [
    observeRequests(parts.metrics, requestLog),
    headers.middleware,
    errorResponse({
      refusals,
      pages,
      log,
      mintRequestId: requestIdGenerator(parts.entropy),
      addressOf,
      ticks: parts.clock.ticks,
      refusalAddress: parts.authorization.refusalAddress,
    }),
    crossOrigin(projections.clients, config),
    routed(
      protocolRoutes({ ...parts, ...projections, now, addressOf, answerJson, settings: config }),
      ...(config.sampleApi ? [protectedResourceRoutes({ ...parts, settings: config })] : []),
      healthRoutes(currentObstacle, parts.metrics.exposition),
      openApiRoutes(() => description),
    ),
    serveStatic(assets),
    bearerToken(tokens),
    routed(
      eventRoutes({ log: parts.log, tokens, users: projections.users, stopping, heartbeat: every15Seconds }),
      logRoutes(parts),
    ),
    restrictToCaller(projections.clients),
    ...(sampleApi.length > 0 ? [routed(...sampleApi)] : []),
    ...webSession(app, { ...parts, users: projections.users, now, mintCsrfToken, ...sessionSettings(config) }),
    readForms(config.bodyLimitBytes),
    retryWhenOutdated,
    limitChanges(parts.limits),
    routed(
      homeRoutes(ofPages),
      apiDescriptionRoutes(() => description, pages),
      loginRoutes(ofPeople),
      passkeyRoutes(ofPeople),
      accountRoutes(ofPeople),
      authorizeRoutes({ ...ofPages, describeScope }),
      applicationRoutes(ofPages),
      authorizedApplicationsRoutes({ ...ofPages, describeScope }),
      adminRoutes({
        ...ofPeople,
        settingsInForce: effectiveSettings(config),
        obstacle: currentObstacle,
        healthFigures,
      }),
      auditRoutes({ ...ofPages, grants: projections.grants, checkpoints: parts.inspection.checkpoints }),
    ),
    parseFormForMountedApps,
    relaxHeadersForMountedApps,
  ];
  app.use(Object.assign(compose(handlers), { routers }));
  const description = describeApi(routers, {
    issuer: parts.issuer(),
    grantTypes: parts.grantTypes,
    scopes: config.scopes,
    sessionCookie: SESSION_COOKIE[isHttps(config) ? 'https' : 'http'],
  });
  return app;

  function routed(...together: readonly ReturnType<typeof protocolRoutes>[]): Handler {
    for (const { path, methods } of together.flatMap(({ stack }) => stack))
      if (methods.length > 0) parts.metrics.requests.declare(String(path)); // without any, it guards others
    routers.push(...together);
    return dispatch(together);
  }
}

const CSRF_TOKEN_BYTES = 32;

function isHttps({ issuer }: Config): boolean {
  return issuer?.startsWith('https:') === true;
}

function sessionSettings(config: Config) {
  return { secure: isHttps(config), sessionLifetimeSeconds: config.sessionLifetimeSeconds };
}
