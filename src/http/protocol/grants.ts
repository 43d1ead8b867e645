import type { EpochSeconds } from '../../domain/values.ts';
import type { Freshness } from '../../event-store/freshness.ts';
import type { GrantManagement } from '../../oauth/endpoints/grant-management.ts';
import { declareForRoute } from '../../policy/declaration.ts';
import { alternativeScopes } from '../../policy/policies.ts';
import { QUERY_GRANT, REVOKE_GRANT } from '../openapi/grants-api.ts';
import { byMethod } from '../pipeline/by-method.ts';
import { pathParameter } from '../pipeline/path-parameter.ts';
import { NO_PERMISSION } from '../pipeline/policy-challenges.ts';
import { requirePolicy } from '../pipeline/require-policy.ts';
import type { SendJson } from '../pipeline/response-headers.ts';
import { fromState, type Handler, type RequestContext } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface GrantRoutesDeps {
  readonly grantManagement: GrantManagement;
  /** Present only if other nodes append to the same log. */
  readonly freshness?: Pick<Freshness, 'catchUp'> | undefined;
  readonly sendJson: SendJson;
  readonly now: () => EpochSeconds;
}

const [QUERY, REVOKE] = [['grant_management_query'], ['grant_management_revoke']];

/**
 * The scope for one method does not permit the other method (FAPI Grant Management §6.1). With either scope, a client
 * can find out which methods the path supports, because the response to any other method lists them.
 */
const SCOPES_BY_METHOD = {
  GET: [QUERY],
  DELETE: [REVOKE],
  ...Object.fromEntries(['POST', 'PUT', 'PATCH', 'OPTIONS'].map((method) => [method, [QUERY, REVOKE]])),
};

/** Returns the routes for clients to query and revoke their grants (FAPI Grant Management §6). */
export function grantRoutes(deps: GrantRoutesDeps): readonly Route[] {
  const { grantManagement, sendJson, now } = deps;
  return [
    {
      method: 'ANY',
      path: '/o/grants/:id',
      kind: 'protocol',
      authentication: 'bearer',
      openApi: [QUERY_GRANT, REVOKE_GRANT],
      pipeline: [
        declareForRoute('/o/grants/:id/', () => requirePolicy(alternativeScopes(SCOPES_BY_METHOD))),
        refuseUsers,
        byMethod({
          GET: handleGrant(deps, async (ctx, id, clientId) => {
            const grant = grantManagement.query(id, clientId, now());
            if (grant !== undefined) await sendJson(ctx, grant);
            return grant !== undefined;
          }),
          DELETE: handleGrant(deps, async (ctx, id, clientId) => {
            const isRevoked = await grantManagement.revoke(id, clientId, now(), ctx.state.metadata);
            if (isRevoked) ctx.status = 204;
            return isRevoked;
          }),
        }),
      ],
    },
  ];
}

/** Refuses a user's token, which shows that the user authorized the client, not that the client manages its grants. */
const refuseUsers: Handler = async (ctx, next) => {
  const principal = fromState(ctx, 'principal');
  if (principal.kind === 'bearer' && principal.userId === null) return await next();
  ctx.status = 403;
  ctx.body = { detail: NO_PERMISSION };
};

/** Handles the request. Returns false if the client has no current grant with this id. */
type Attempt = (ctx: RequestContext, id: string, clientId: string) => boolean | Promise<boolean>;

/**
 * Returns a handler that calls `attempt`. If the grant is unknown, the handler catches up with the log and tries again,
 * because another node may have just issued the grant's tokens.
 */
function handleGrant({ freshness }: GrantRoutesDeps, attempt: Attempt): Handler {
  return async (ctx) => {
    const principal = fromState(ctx, 'principal');
    const clientId = principal.kind === 'bearer' ? principal.clientId : '';
    const id = pathParameter(ctx, 'id');
    if (await attempt(ctx, id, clientId)) return;
    if (freshness !== undefined) {
      await freshness.catchUp();
      if (await attempt(ctx, id, clientId)) return;
    }
    ctx.status = 404;
    ctx.body = { detail: 'Not found.' };
  };
}
