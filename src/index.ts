import type Koa from 'koa';
import { pino } from 'pino';
import { admitFirstAdministrator } from './cli/first-administrator.ts';
import { configOf, defaultIssuer } from './config.ts';
import { createApp } from './http/app.ts';
import type { ErrorLog } from './http/middleware/error-response.ts';
import type { RequestState } from './http/state.ts';
import { allOf, anyOf, objectCheck } from './policy/combinators.ts';
import { allScopes, alternativeScopes, authenticatedOrScope, readWrite, resourceScope } from './policy/policies.ts';
import { createMetrics } from './monitoring/metrics.ts';
import type { RequestLog } from './monitoring/request-lines.ts';
import { watchProcess } from './monitoring/process-gauges.ts';
import { argon2idHasher, systemClock, systemEntropy, systemTicks } from './ports.ts';
import { openService } from './service.ts';
import type { SettingInputs } from './settings.ts';

/** The package's entry: the server as a Koa application, and the policies by themselves for servers elsewhere. */

export { createHttpServer } from './cli/http-server.ts';
export { bearerToken, type AccessTokenLookup, type RemoteAccessTokenLookup } from './http/middleware/bearer-token.ts';
export { requirePolicy, type RequirePolicyOptions } from './http/middleware/require-policy.ts';
export type { RequestState } from './http/state.ts';
export { PolicyDeclarationError } from './policy/declaration.ts';
export { policyFromOpenApi } from './policy/policy-from-open-api.ts';
export type { Policy, PolicyRequest, Principal, Verdict } from './policy/policy.ts';
export { IntrospectionUnavailable } from './resource-server/introspection-unavailable.ts';
export { remoteIntrospection, type RemoteIntrospectionOptions } from './resource-server/remote-introspection.ts';

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

/**
 * The settings of a configuration file, by the same names; `errorLog` takes what the server did not expect, and
 * `requestLog` a line for each request.
 */
export type GrantlogSettings = SettingInputs & { readonly errorLog?: ErrorLog; readonly requestLog?: RequestLog };

/**
 * A Koa application. What serves it limits slow clients and idle connections: `createHttpServer(app.callback())` as
 * `npm start` does, `app.listen` no more than Node does by itself. Routers mounted behind it find the caller in
 * `ctx.state.principal`, where `requirePolicy` looks.
 */
export interface Grantlog extends Koa<RequestState> {
  /** Closes the event log. Requests that come later are refused. */
  close(): Promise<void>;
}

/**
 * Opens the data directory, making it at the first start, and replays its log.
 * @throws ConfigError every bad setting, by name
 * @throws LogLocked another process has the data directory
 */
export async function createGrantlog({ errorLog = pino(), requestLog, ...settings }: GrantlogSettings = {}): Promise<Grantlog> {
  const config = configOf(settings);
  const service = await openService(config, {
    clock: systemClock,
    entropy: systemEntropy(),
    hasher: argon2idHasher(),
    metrics: createMetrics({ ticks: systemTicks, process: watchProcess(systemClock.now() / 1000) }),
    issuer: () => config.issuer ?? defaultIssuer(config.port),
    notice: (line) => errorLog.error({}, line),
  });
  const stopping = new AbortController();
  await admitFirstAdministrator(config, service);
  return Object.assign(createApp(service, errorLog, stopping.signal, requestLog), {
    close() {
      stopping.abort();
      return service.close();
    },
  });
}
