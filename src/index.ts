import type { Server } from 'node:http';
import type Koa from 'koa';
import { pino } from 'pino';
import { createEmbedded } from './cli/embedded.ts';
import { createFirstAdministrator } from './cli/first-administrator.ts';
import { configFromSettings, defaultIssuer } from './config/config.ts';
import { createApp } from './http/app.ts';
import type { ErrorLog } from './http/pipeline/error-response.ts';
import type { RequestState } from './http/pipeline/state.ts';
import { allOf, anyOf, objectCheck } from './policy/combinators.ts';
import { allScopes, alternativeScopes, authenticatedOrScope, readWrite, resourceScope } from './policy/policies.ts';
import { createMetrics } from './platform/metrics/metrics.ts';
import type { RequestLog } from './platform/metrics/request-lines.ts';
import { watchProcess } from './platform/metrics/process-gauges.ts';
import { argon2idHasher, systemClock, systemEntropy } from './platform/ports.ts';
import { openService } from './composition/open-service.ts';
import type { SettingInputs } from './config/settings.ts';

/** The package's entry: the server as a Koa application, and the policies by themselves for servers elsewhere. */

export { createHttpServer } from './cli/http-server.ts';
export { bearerToken, type AccessTokenLookup, type RemoteAccessTokenLookup } from './http/pipeline/bearer-token.ts';
export { requirePolicy, type RequirePolicyOptions } from './http/pipeline/require-policy.ts';
export type { RequestState } from './http/pipeline/state.ts';
export { PolicyDeclarationError } from './policy/declaration.ts';
export { policyFromOpenApi } from './policy/policy-from-open-api.ts';
export type { Policy, PolicyRequest, Principal, Verdict } from './policy/policy.ts';
export { IntrospectionUnavailable } from './policy/resource-server/introspection-unavailable.ts';
export { remoteIntrospection, type RemoteIntrospectionOptions } from './policy/resource-server/remote-introspection.ts';

/** The five scope policies of protected operations, and what combines them. */
export const policies = {
  allScopes,
  readWrite,
  resourceScope,
  authenticatedOrScope,
  alternativeScopes,
  allOf,
  anyOf,
  objectCheck,
} as const;

/** Where a server reports what happens to it; a pino logger fits. A level that is missing is reported as an error. */
export interface GrantlogLog extends ErrorLog {
  info?(details: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * The settings of a configuration file, by the same names; `errorLog` takes what the server did not expect, and
 * `requestLog` a line for each request.
 */
export type GrantlogSettings = SettingInputs & { readonly errorLog?: GrantlogLog; readonly requestLog?: RequestLog };

export interface StartOptions {
  /** The HTTP or HTTPS server that answers with `callback()`, before it listens: `close` drains it. */
  readonly server?: Server;
}

/**
 * A Koa application. What serves it limits slow clients and idle connections: `createHttpServer(app.callback())` as
 * `npm start` does, `app.listen` no more than Node does by itself. Routers mounted behind it find the caller in
 * `ctx.state.principal`, where `requirePolicy` looks.
 */
export interface Grantlog extends Koa<RequestState> {
  /**
   * Makes this program a server like `grantlog serve`: the command line reaches it by the control socket of its data
   * directory, a checkpoint is signed every minute, and the stored log is checked once. While there is no
   * administrator, the link by which the first one is made is logged. Nothing of it keeps the process alive.
   * @throws Error it was started or closed before, or the control socket cannot be made; it may then be tried again
   */
  start(options?: StartOptions): Promise<void>;
  /**
   * Lets the requests of the server that was given to `start` have their answers, then closes the control socket and
   * the event log, with a last checkpoint and snapshot. Requests that come later are refused. Idempotent.
   */
  close(): Promise<void>;
  /**
   * Resolves with the error when the event log fails, which is logged. Nothing is recorded from then on: close, and end
   * the process; what is stored is known after the next start.
   */
  readonly failed: Promise<Error>;
}

/**
 * Opens the data directory, making it at the first start, and replays its log. The sample API is off unless `sampleApi`
 * is true: `/users/` and `/groups/` are for the routers of the program.
 * @throws ConfigError every bad setting, by name
 * @throws LogLocked another process has the data directory
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
    issuer: () => config.issuer ?? defaultIssuer(config.port),
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
