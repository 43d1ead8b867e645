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

// The entry point of the package: the server as a Koa application, and middleware and policies for resource servers.

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
  /** The URL of the API's metadata (RFC 9728), which challenges contain. */
  readonly resourceMetadata?: string;
  /**
   * The address at which clients reach the API: the scheme, the host and, if a proxy removes a path prefix, that
   * prefix. With this option, the API accepts tokens that are bound to a key, with DPoP proofs (RFC 9449). This process
   * accepts each proof only once. By default, tokens that are bound to a key are refused.
   */
  readonly baseUrl?: string;
  /** Whether every proof must contain a nonce. Necessary if several processes serve the API. Default: false. */
  readonly requireNonces?: boolean;
  /**
   * The addresses and networks of the proxies whose `Client-Cert` header is trusted (RFC 9440), for tokens that are
   * bound to a certificate. By default, only the certificate of the connection itself is used.
   */
  readonly clientCertificateProxies?: readonly string[];
}

/**
 * Returns middleware that identifies the caller by the access token in the `Authorization` header, and sets
 * `ctx.state.principal`. The middleware refuses no caller: `requirePolicy` does. A token that is bound to a key or
 * certificate is accepted only with proof of possession. If a token cannot be checked, the response is 503, and the
 * application emits `error` with the reason.
 * @throws TypeError if `baseUrl` is not an http or https address, or has a query or fragment
 */
export function bearerToken(
  lookup: RemoteAccessTokenLookup,
  { resourceMetadata, baseUrl, requireNonces = false, clientCertificateProxies = [] }: BearerTokenOptions = {},
): ReturnType<typeof identifyByToken> {
  const readCertificate = clientCertificateReader(clientCertificateProxies, now);
  const identify = identifyByToken(lookup, {
    resourceMetadata,
    proofs: baseUrl === undefined ? undefined : createVerifier(),
  });

  function createVerifier(): ProofVerifier {
    const deps = { entropy: systemEntropy(), startedAt: now(), requiresNonces: requireNonces };
    const base = parseBaseUrl(baseUrl ?? '');
    return createProofVerifier(createDpopProofs(deps), () => [base], now);
  }

  return (ctx, next) => {
    ctx.state.clientCertificate ??= () => readCertificate(ctx.req);
    return identify(ctx, next);
  };
}

export interface ProtectedResourceOptions {
  /** The URI for which clients request tokens (RFC 8707): the address of the API, including any path. */
  readonly resource: string;
  /** The issuer identifier of the authorization server. */
  readonly issuer: string;
  /** The id of a confidential client of the authorization server. The API introspects tokens as this client. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scopes that every request needs. Routes can require more with `requirePolicy`. */
  readonly scopes: readonly string[];
}

/**
 * Returns middleware that protects a whole API as the MCP authorization specification requires. The middleware
 * publishes the API's metadata (RFC 9728), which tells clients the address of the authorization server. For clients
 * that follow revision 2025-03-26, it also serves that server's metadata. It accepts only tokens that were issued for
 * the API, and bound tokens only with proof of possession. It tells clients which scopes a request needs, and sets
 * `ctx.state.principal`.
 * @throws TypeError if an address or the id or secret of the client is invalid
 * @throws PolicyDeclarationError if `scopes` is not a list of scope names
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
  const readServerMetadata = createLegacyMetadataReader({ issuer, resource }, systemClock.ticks);
  const documents = new Map<string, () => object | Promise<object | undefined>>([
    [metadataPath, () => metadata],
    ['/.well-known/oauth-authorization-server', readServerMetadata],
  ]);
  return async (ctx, next) => {
    const read = documents.get(ctx.path);
    if (read === undefined) return await identify(ctx, () => guard(ctx, next));
    ctx.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' });
    const document = ctx.method === 'OPTIONS' ? null : await read();
    ctx.status = document === undefined ? 503 : 200;
    ctx.body = document === undefined ? METADATA_UNAVAILABLE : document; // for null, Koa responds with 204
  };
}

const METADATA_UNAVAILABLE = {
  error: 'temporarily_unavailable',
  error_description: 'the metadata of the authorization server cannot be read',
};

/** Returns the current time in seconds since the epoch. */
function now(): number {
  return systemClock.now() / 1000;
}

function parseBaseUrl(text: string): string {
  const url = isUrl(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new TypeError('bearerToken: baseUrl must be an http or https address without a query or fragment');
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

/**
 * The server log, such as a pino logger. Without `info` or `warn`, notices for the operator go to `error`. Exceeded
 * rate limits are logged only if `warn` exists, and refused requests only if `debug` exists.
 */
export interface GrantlogLog extends ErrorLog {
  info?(details: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * The settings, with the same names as in a configuration file. `errorLog` receives unexpected errors and notices for
 * the operator, and `requestLog` receives a line for each request.
 */
export type GrantlogSettings = SettingInputs & { readonly errorLog?: GrantlogLog; readonly requestLog?: RequestLog };

export interface StartOptions {
  /** The HTTP or HTTPS server that uses `callback()`. It must not be listening yet. `close` drains the server. */
  readonly server?: Server;
}

/**
 * A Koa application. A server from `createHttpServer(app.callback())` limits slow clients and idle connections, as
 * `grantlog serve` does; a server from `app.listen` has only Node's own limits. Routers mounted on the application find
 * the caller in `ctx.state.principal`, which `requirePolicy` uses.
 */
export interface Grantlog extends Koa<RequestState> {
  /**
   * Makes this process a server like `grantlog serve`: opens the control socket for the command line, signs a
   * checkpoint every minute, maintains the signing keys, delivers logout tokens, and checks the stored log once. Logs
   * the set-up link if there is no administrator. None of this keeps the process alive.
   * @throws Error if this instance has already been started or closed, or if the control socket cannot be created. In
   *   the latter case, `start` can be called again.
   */
  start(options?: StartOptions): Promise<void>;
  /**
   * Stops accepting connections on the server that was passed to `start`, and waits for the requests in progress. Then
   * closes the control socket, writes a final checkpoint and snapshot, and closes the event log. Idempotent.
   */
  close(): Promise<void>;
  /**
   * Resolves with the error when the event log fails; the error is also logged. After that, no event can be recorded:
   * call `close`, and exit the process. The next startup determines which events were stored.
   */
  readonly failed: Promise<Error>;
}

/**
 * Creates the data directory if it does not exist, opens the event log, and replays it. The sample API is off unless
 * `sampleApi` is true, so your routers can define `/users/` and `/groups/`.
 * @throws ConfigError if settings are invalid; the error lists all problems
 * @throws LogLocked if another process has the data directory open
 * @throws CannotRunError if the administrator that the settings specify cannot be created
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
