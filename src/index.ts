import type { Server } from 'node:http';
import type Koa from 'koa';
import { pino } from 'pino';
import { createEmbedded } from './cli/embedded.ts';
import { createFirstAdministrator } from './cli/first-administrator.ts';
import { configFromSettings, defaultIssuer } from './config/config.ts';
import { createApp } from './http/app.ts';
import { bearerToken as identifyByToken, type RemoteAccessTokenLookup } from './http/pipeline/bearer-token.ts';
import { clientCertificateReader } from './http/pipeline/client-certificate.ts';
import { createProofVerifier } from './http/pipeline/proof-verifier.ts';
import type { ProofVerifier } from './http/pipeline/sender-check.ts';
import { PROOF_ALGORITHMS } from './oauth/dpop/proof-key.ts';
import { createDpopProofs } from './oauth/dpop/dpop-proofs.ts';
import type { ErrorLog } from './http/pipeline/error-response.ts';
import type { RequestState } from './http/pipeline/state.ts';
import { requirePolicy } from './http/pipeline/require-policy.ts';
import { allOf, anyOf, objectCheck } from './policy/combinators.ts';
import { details } from './policy/details.ts';
import { allScopes, alternativeScopes, authenticatedOrScope, readWrite, resourceScope } from './policy/policies.ts';
import { createLegacyMetadataReader } from './policy/resource-server/legacy-metadata.ts';
import { remoteIntrospection } from './policy/resource-server/remote-introspection.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import type { RequestLog } from './platform/metrics/request-lines.ts';
import { watchProcess } from './platform/metrics/process-gauges.ts';
import { argon2idHasher, systemClock, systemEntropy } from './platform/ports.ts';
import { openService } from './composition/open-service.ts';
import type { SettingInputs } from './config/settings.ts';
import { isUrl } from './platform/urls.ts';

// The entry point of the package: the server as a Koa application, and the policies for other resource servers.

export { createHttpServer } from './cli/http-server.ts';
export type { AccessTokenLookup, RemoteAccessTokenLookup } from './http/pipeline/bearer-token.ts';
export { requirePolicy, type RequirePolicyOptions } from './http/pipeline/require-policy.ts';
export type { RequestState } from './http/pipeline/state.ts';
export { PolicyDeclarationError } from './policy/declaration.ts';
export { policyFromOpenApi } from './policy/policy-from-open-api.ts';
export type { Policy, PolicyRequest, Principal, Verdict } from './policy/policy.ts';
export { IntrospectionUnavailable } from './policy/resource-server/introspection-unavailable.ts';
export { remoteIntrospection, type RemoteIntrospectionOptions } from './policy/resource-server/remote-introspection.ts';

export interface BearerTokenOptions {
  /** The URL of the API's metadata (RFC 9728), for challenges. */
  readonly resourceMetadata?: string;
  /**
   * The address at which clients reach the API: scheme, host and, if a proxy removes one, a path. With it, the API
   * accepts tokens that are bound to a key, with DPoP proofs (RFC 9449). Each proof is accepted once, by this process.
   */
  readonly baseUrl?: string;
  /** Requires nonces in all proofs. Necessary if several processes serve the API. */
  readonly requireNonces?: boolean;
  /**
   * The addresses and networks of the proxies whose `Client-Cert` is trusted (RFC 9440), for tokens that are bound to a
   * certificate. By default, only the certificate of the connection itself is used.
   */
  readonly clientCertificateProxies?: readonly string[];
}

/**
 * Identifies the caller by the access token in the `Authorization` header, and sets `ctx.state.principal`. It never
 * refuses a request; `requirePolicy` does. A token that is bound to a key or certificate is accepted only with proof of
 * possession. If a token cannot be checked, the response is 503, and the application emits `error` with the reason.
 * @throws TypeError if `baseUrl` is not an http or https address
 */
export function bearerToken(
  lookup: RemoteAccessTokenLookup,
  { resourceMetadata, baseUrl, requireNonces = false, clientCertificateProxies = [] }: BearerTokenOptions = {},
): ReturnType<typeof identifyByToken> {
  const certificateOf = clientCertificateReader(clientCertificateProxies, now);
  const identify = identifyByToken(lookup, {
    resourceMetadata,
    proofs: baseUrl === undefined ? undefined : verifier(),
  });

  function verifier(): ProofVerifier {
    const deps = { entropy: systemEntropy(), startedAt: now(), requiresNonces: requireNonces };
    const base = parseBaseUrl(baseUrl ?? '');
    return createProofVerifier(createDpopProofs(deps), () => [base], now);
  }

  return (ctx, next) => {
    ctx.state.clientCertificate ??= () => certificateOf(ctx.req);
    return identify(ctx, next);
  };
}

export interface ProtectedResourceOptions {
  /** The URI of the API, for which clients request tokens: its address, with a path if it has one (RFC 8707). */
  readonly resource: string;
  /** The issuer identifier of the authorization server. */
  readonly issuer: string;
  /** A confidential client of that server, which introspects tokens. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scopes that every request needs. Routes can require more with `requirePolicy`. */
  readonly scopes: readonly string[];
}

/**
 * Protects a whole API as the MCP authorization specification requires. It publishes the API's metadata, which leads
 * clients to the authorization server (RFC 9728; for clients of revision 2025-03-26, a copy of the server's metadata).
 * It accepts only tokens that were issued for the API, bound tokens only with their proofs, and tells clients which
 * scopes a request lacks. It sets `ctx.state.principal`.
 * @throws TypeError if an option is invalid
 */
export function protectedResource({
  resource,
  issuer,
  clientId,
  clientSecret,
  scopes,
}: ProtectedResourceOptions): (ctx: Koa.ParameterizedContext<RequestState>, next: Koa.Next) => Promise<void> {
  const { origin, pathname } = new URL(resource);
  const metadataPath = `/.well-known/oauth-protected-resource${pathname.replace(/\/$/, '')}`;
  const endpoint = `${issuer.replace(/\/$/, '')}/o/introspect/`;
  const find = remoteIntrospection({ endpoint, clientId, clientSecret, issuer, resource, requireAudience: true });
  const identify = bearerToken({ find }, { baseUrl: origin, resourceMetadata: `${origin}${metadataPath}` });
  const guard = requirePolicy(allScopes(scopes));
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
  };
  const serverMetadata = createLegacyMetadataReader({ issuer, resource }, systemClock.ticks);
  const documents = new Map<string, () => object | Promise<object | undefined>>([
    [metadataPath, () => metadata],
    ['/.well-known/oauth-authorization-server', serverMetadata],
  ]);
  return async (ctx, next) => {
    const read = documents.get(ctx.path);
    if (read === undefined) return await identify(ctx, () => guard(ctx, next));
    ctx.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' });
    const document = ctx.method === 'OPTIONS' ? null : await read();
    ctx.status = document === undefined ? 503 : 200;
    ctx.body = document; // null: 204
  };
}

/** Seconds since the epoch. */
function now(): number {
  return systemClock.now() / 1000;
}

function parseBaseUrl(text: string): string {
  const url = isUrl(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError('bearerToken: baseUrl must be an http or https address without a query');
  return url.href.replace(/\/$/, '');
}

/**
 * The five scope policies, the checks of objects and authorization details, and the functions that combine policies.
 */
export const policies = {
  allScopes,
  readWrite,
  resourceScope,
  authenticatedOrScope,
  alternativeScopes,
  allOf,
  anyOf,
  objectCheck,
  details,
} as const;

/** The server log, such as a pino logger. If a method is missing, its lines go to `error`. */
export interface GrantlogLog extends ErrorLog {
  info?(details: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * The settings of a configuration file, with the same names. `errorLog` receives unexpected errors, and `requestLog` a
 * line for each request.
 */
export type GrantlogSettings = SettingInputs & { readonly errorLog?: GrantlogLog; readonly requestLog?: RequestLog };

export interface StartOptions {
  /** The HTTP or HTTPS server that uses `callback()`, before it listens. `close` drains it. */
  readonly server?: Server;
}

/**
 * A Koa application. `createHttpServer(app.callback())` limits slow clients and idle connections like `npm start`;
 * `app.listen` has only Node's own limits. Routers mounted after it find the caller in `ctx.state.principal`, which
 * `requirePolicy` uses.
 */
export interface Grantlog extends Koa<RequestState> {
  /**
   * Makes this process a server like `grantlog serve`: it opens the control socket for the command line, signs a
   * checkpoint every minute, and checks the stored log once. Logs the set-up link while there is no administrator. None
   * of this keeps the process alive.
   * @throws Error if this instance has already been started or closed, or if the control socket cannot be created. In
   *   the latter case, `start` can be called again.
   */
  start(options?: StartOptions): Promise<void>;
  /**
   * Waits for the requests in progress on the server passed to `start`, then writes a last checkpoint and snapshot, and
   * closes the control socket and the event log. Later requests are refused. Idempotent.
   */
  close(): Promise<void>;
  /**
   * Resolves with the error when the event log fails; the error is also logged. Nothing can be recorded from then on:
   * call `close`, and exit the process. The next startup determines what was stored.
   */
  readonly failed: Promise<Error>;
}

/**
 * Opens the data directory, which is created if it does not exist, and replays its log. The sample API is off unless
 * `sampleApi` is true, so that the application can define `/users/` and `/groups/` itself.
 * @throws ConfigError if settings are invalid; it lists all of them
 * @throws LogLocked if another process has the data directory open
 */
export async function createGrantlog({
  errorLog = pino(),
  requestLog,
  ...settings
}: GrantlogSettings = {}): Promise<Grantlog> {
  const config = configFromSettings(settings);
  const service = await openService(config, {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: argon2idHasher(),
    metrics: createMetrics({ ticks: systemClock.ticks, process: watchProcess(systemClock.now() / 1000) }),
    issuer: () => config.issuer ?? defaultIssuer(config),
    notice: (line) => (errorLog.warn ?? errorLog.error).call(errorLog, {}, line),
  });
  try {
    await createFirstAdministrator(config, service);
    const stopping = new AbortController();
    const app = createApp(service, errorLog, stopping.signal, requestLog);
    return Object.assign(app, createEmbedded({ service, dataDir: config.dataDir, stopping, log: errorLog }));
  } catch (error) {
    await service.close();
    throw error;
  }
}
