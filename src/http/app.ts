import type { KeyObject } from 'node:crypto';
import Keygrip from 'keygrip';
import Koa from 'koa';
import type { RateLimits } from '../abuse/rate-limits.ts';
import type { AccountExport } from '../accounts/account-export.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Attestation } from '../attestation/attestation.ts';
import type { GuardedPasswords } from '../accounts/guarded-passwords.ts';
import type { LogIns } from '../accounts/log-ins.ts';
import type { PasskeyLogIns } from '../accounts/passkeys.ts';
import type { Setup } from '../accounts/setup.ts';
import type { Config } from '../config.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { EventLog } from '../eventsourcing/event-log.ts';
import type { PasswordHashing } from '../hashing/password-hashing.ts';
import type { AuthorizationEndpoint } from '../oauth/authorization-endpoint.ts';
import { mintId, requestIds } from '../oauth/credentials.ts';
import { protectedResourceMetadataUrl } from '../oauth/protected-resource.ts';
import type { GrantCommands } from '../oauth/grant-types/grant-type.ts';
import type { IntrospectionEndpoint } from '../oauth/introspection.ts';
import type { PostMortem } from '../oauth/post-mortem.ts';
import type { Registration } from '../oauth/registration.ts';
import type { RevocationEndpoint } from '../oauth/revocation.ts';
import type { RequestSeal } from '../oauth/sealed-request.ts';
import type { SigningKeys } from '../oauth/signing-keys.ts';
import type { TokenEndpoint } from '../oauth/token-endpoint.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import type { RequestLog } from '../monitoring/request-lines.ts';
import type { ServiceState } from '../monitoring/state-gauges.ts';
import { SESSION_COOKIE } from '../policy/open-api-security.ts';
import type { Clock, Entropy } from '../ports.ts';
import type { AccessTokens } from '../projections/access-tokens.ts';
import type { Activity } from '../projections/activity.ts';
import type { Clients } from '../projections/clients.ts';
import type { Grants } from '../projections/grants.ts';
import type { Groups } from '../projections/groups.ts';
import type { Passkeys } from '../projections/passkeys.ts';
import type { Sessions } from '../projections/sessions.ts';
import type { Users } from '../projections/users.ts';
import type { Explanations } from '../refusals/explanations.ts';
import { settingsInForce } from '../settings-in-force.ts';
import { describeApi } from './api/document.ts';
import { readAssets } from './assets.ts';
import type { ProjectionsAsOf } from './audit/as-of.ts';
import { clientAddress } from './client-address.ts';
import { compose } from './compose.ts';
import { isOfConnection } from './connection-error.ts';
import { dispatch } from './dispatch.ts';
import { everyQuarterOfAMinute } from './event-stream.ts';
import { createHealthFigures } from './health-figures.ts';
import { liveTokens } from './live-tokens.ts';
import { bearerToken } from './middleware/bearer-token.ts';
import { crossOrigin, keepToCaller } from './middleware/cross-origin.ts';
import { errorResponse, type ErrorLog } from './middleware/error-response.ts';
import { offerFormToRoutersBehind, readForms } from './middleware/page-form.ts';
import { limitChanges } from './middleware/limit-changes.ts';
import { observeRequests } from './middleware/observe-requests.ts';
import { redecide } from './middleware/redecide.ts';
import { leaveToRoutersBehind, strictHeaders } from './middleware/response-headers.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import { webSession } from './middleware/web-session.ts';
import { obstacle } from './obstacle.ts';
import { createRefusalRecorder } from './refusal-recorder.ts';
import { createRenderer } from './render.ts';
import { createRepeatedForms } from './repeated-forms.ts';
import { adminRoutes } from './routes/admin.ts';
import { apiDescriptionRoutes } from './routes/api-description.ts';
import { accountRoutes } from './routes/accounts.ts';
import { applicationRoutes } from './routes/applications.ts';
import { auditRoutes } from './routes/audit.ts';
import { authorizeRoutes } from './routes/authorize.ts';
import { authorizedTokensRoutes } from './routes/authorized-tokens.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { homeRoutes } from './routes/home.ts';
import { logRoutes } from './routes/log.ts';
import { openApiRoutes } from './routes/open-api.ts';
import { ownAccountRoutes } from './routes/own-account.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { protocolRoutes } from './routes/protocol.ts';
import { protectedResourceRoutes } from './routes/protected-resource.ts';
import { sampleApiRoutes } from './routes/sample-api.ts';
import type { Handler, RequestContext, RequestState } from './state.ts';
import { scopeDescriptions } from './scope-descriptions.ts';
import { createSecretsShownOnce } from './secrets-shown-once.ts';
import { serveStatic } from './static.ts';

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
  readonly log: Pick<EventLog, 'head' | 'readAll' | 'readBack' | 'readStream' | 'readStreamBack' | 'subscribe'>;
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
  readonly hashing: Pick<PasswordHashing, 'for'>;
  readonly limits: Pick<RateLimits, 'spend'>;
  readonly passwords: GuardedPasswords;
  readonly logIns: LogIns;
  readonly passkeyLogIns: PasskeyLogIns;
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
  parts: AppParts, log: ErrorLog, stopping: AbortSignal = new AbortController().signal, requestLog?: RequestLog,
): Koa<RequestState> {
  const { config, keys, projections } = parts;
  const app = new Koa<RequestState>();
  const routers: Parameters<typeof describeApi>[0][number][] = [];
  app.keys = new Keygrip([keys.cookies.export().toString('base64url')], 'sha256');
  app.on('error', (error: unknown) => {
    if (!isOfConnection(error)) log.error({ err: error }, 'response failed');
  });
  const assets = readAssets();
  const pages = createRenderer(assets);
  const now = (): EpochSeconds => Math.floor(parts.clock.now() / 1000) as EpochSeconds;

  const addressOf = (ctx: Pick<RequestContext, 'req'>): string => clientAddress(ctx.req, config.trustedProxies);
  const tracing = traceRequests();
  if (tracing !== undefined) app.use(tracing);
  const headers = strictHeaders({ https: isHttps(config) });
  const refusals = createRefusalRecorder({ ...parts, now, log });
  const tokens = liveTokens(parts.tokensInForce, parts.issuer, now);
  const resourceMetadata = protectedResourceMetadataUrl(parts.issuer());
  const { answerJson } = headers;
  const ofSampleApi = { ...parts, ...projections, tokens, addressOf, resourceMetadata, answerJson, settings: config };
  const sampleApi = sampleApiRoutes(ofSampleApi);
  const describeScope = scopeDescriptions(config.scopes, sampleApi);
  const secretsShownOnce = createSecretsShownOnce({ key: keys.secretsShownOnce, entropy: parts.entropy, now });
  const repeatedForms = createRepeatedForms(keys.repeatedForms, parts.entropy);
  const ofPages = {
    ...parts, ...projections, liveGrants: projections.grants, grants: parts.grants, pages, now, settings: config,
    secretsShownOnce, repeatedForms,
  };
  const mintCsrfToken = (): string => parts.entropy.bytes(CSRF_TOKEN_BYTES).toString('base64url');
  const ofPeople = { ...ofPages, addressOf, mintBrowserId: () => mintId(parts.entropy) };
  const currentObstacle = (): string | undefined => obstacle(parts);
  const healthFigures = createHealthFigures(parts);
  const handlers = [
    observeRequests(parts.metrics, requestLog),
    headers.middleware,
    errorResponse({
      refusals, pages, log, mintRequestId: requestIds(parts.entropy), addressOf, ticks: parts.clock.ticks,
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
      eventRoutes({ log: parts.log, tokens, users: projections.users, stopping, heartbeat: everyQuarterOfAMinute }),
      logRoutes(parts),
    ),
    keepToCaller(projections.clients),
    ...(sampleApi.length > 0 ? [routed(...sampleApi)] : []),
    ...webSession(app, { ...parts, users: projections.users, now, mintCsrfToken, ...sessionSettings(config) }),
    readForms(config.bodyLimitBytes),
    redecide,
    limitChanges(parts.limits),
    routed(
      homeRoutes(ofPages),
      apiDescriptionRoutes(() => description, pages),
      accountRoutes(ofPeople),
      passkeyRoutes(ofPeople),
      ownAccountRoutes(ofPeople),
      authorizeRoutes({ ...ofPages, describeScope }),
      applicationRoutes(ofPages),
      authorizedTokensRoutes({ ...ofPages, describeScope }),
      adminRoutes({ ...ofPeople, settingsInForce: settingsInForce(config), obstacle: currentObstacle, healthFigures }),
      auditRoutes({ ...ofPages, grants: projections.grants, checkpoints: parts.inspection.checkpoints }),
    ),
    offerFormToRoutersBehind,
    leaveToRoutersBehind,
  ];
  app.use(Object.assign(compose(handlers), { routers }));
  const description = describeApi(routers, {
    issuer: parts.issuer(), grantTypes: parts.grantTypes, scopes: config.scopes, sessionCookie: SESSION_COOKIE[isHttps(config) ? 'https' : 'http'],
  });
  return app;

  function routed(...together: readonly ReturnType<typeof protocolRoutes>[]): Handler {
    for (const { path, methods } of together.flatMap(({ stack }) => stack)) if (methods.length > 0) parts.metrics.requests.declare(String(path)); // without any, it guards others
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
