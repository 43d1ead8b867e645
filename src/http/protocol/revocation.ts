import type { RevocationEndpoint } from '../../oauth/endpoints/revocation.ts';
import { revocationOperation } from '../openapi/oauth-api.ts';
import { authenticateClient, type AuthenticateClientDeps } from '../pipeline/authenticate-client.ts';
import { readParameters, type BodySettings } from '../pipeline/read-parameters.ts';
import { attributeRefusals, type RefusalSubjectDeps } from '../pipeline/refusal-subject.ts';
import { retryWhenOutdated } from '../pipeline/retry-when-outdated.ts';
import { fromState, type Handler } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface RevocationRouteDeps extends AuthenticateClientDeps, RefusalSubjectDeps {
  readonly revocation: RevocationEndpoint;
  readonly settings: BodySettings;
}

/** Returns the route for the revocation endpoint (RFC 7009). */
export function revocationRoute(deps: RevocationRouteDeps): Route {
  const { settings } = deps;
  return {
    method: 'POST',
    path: '/o/revoke_token',
    kind: 'protocol',
    authentication: 'client',
    cors: { origins: 'clients', methods: 'POST' },
    openApi: [revocationOperation(settings)],
    pipeline: [
      attributeRefusals(deps),
      readParameters(settings),
      retryWhenOutdated,
      authenticateClient(deps),
      revokeToken(deps),
    ],
  };
}

function revokeToken({ revocation, now }: RevocationRouteDeps): Handler {
  return async (ctx) => {
    await revocation({
      parameters: fromState(ctx, 'parameters'),
      client: fromState(ctx, 'client'),
      now: now(),
      requestMetadata: ctx.state.metadata,
    });
    ctx.status = 200;
    ctx.set('Pragma', 'no-cache');
    ctx.body = '';
    // Koa sets a Content-Type even if the body is empty, and oidc-client-ts refuses text/plain.
    ctx.remove('Content-Type');
  };
}
