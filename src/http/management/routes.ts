import type { OperationDeps } from '../../operations/operation-context.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import { createSemaphore } from '../../platform/semaphore.ts';
import { declareForRoute } from '../../policy/declaration.ts';
import { allScopes } from '../../policy/policies.ts';
import type { Principal } from '../../policy/policy.ts';
import { createOnce } from '../../event-store/once.ts';
import { recheckToken } from '../pipeline/bearer-token.ts';
import { byMethod } from '../pipeline/by-method.ts';
import { header } from '../pipeline/request-head.ts';
import { requirePolicy } from '../pipeline/require-policy.ts';
import { fromState, type Handler, type RequestContext } from '../pipeline/state.ts';
import type { LocalTokenLookup } from '../protocol/access-token-lookup.ts';
import type { Route } from '../route.ts';
import { rowHandler, type RowHandlerDeps } from './row-handler.ts';
import { describeRow } from './describe.ts';
import { respondWithError, addErrorCodes } from './errors.ts';
import { PREFIX, type ManagementRow } from './row.ts';
import { MANAGEMENT_TABLE } from './table.ts';

export interface ManagementDeps {
  readonly operationDeps: OperationDeps;
  readonly tokens: LocalTokenLookup;
  readonly limits: Pick<RateLimits, 'spend'>;
}

const ADMIN_POLICY = allScopes(['admin']);

/** Limits memory: each quick operation can hold up to two pages of entries. */
const QUICK = { maxConcurrent: 8, maxPending: 64 };
/** Each slow operation reads much of the log, rebuilds projections, or waits for another server. */
const SLOW = { maxConcurrent: 1, maxPending: 8 };

/** Returns the routes of the management API, where clients with the `admin` scope run the command line's operations. */
export function managementRoutes({ operationDeps, tokens, limits }: ManagementDeps): readonly Route[] {
  const deps: RowHandlerDeps = {
    operationDeps,
    mayContinue: (ctx) => mayContinue(ctx, tokens),
    semaphores: { quick: createSemaphore(QUICK.maxConcurrent, QUICK), slow: createSemaphore(SLOW.maxConcurrent, SLOW) },
  };
  const paths = [...new Set(MANAGEMENT_TABLE.map(({ path }) => path))];
  return paths.map((path) => {
    const rows = MANAGEMENT_TABLE.filter((row) => row.path === path);
    return createRoute(path, rows, limits, deps);
  });
}

function createRoute(
  path: string,
  rows: readonly ManagementRow[],
  limits: ManagementDeps['limits'],
  deps: RowHandlerDeps,
): Route {
  const routePath = `${PREFIX}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return {
    method: 'ANY',
    path: routePath,
    kind: 'api',
    authentication: 'bearer',
    hasErrorCodes: true,
    openApi: rows.map(describeRow),
    pipeline: [
      addErrorCodes,
      declareForRoute(routePath, () => requirePolicy(ADMIN_POLICY)),
      refuseUsers,
      limitClient(limits),
      byMethod(Object.fromEntries(rows.map((row) => [row.method, rowHandler(row, deps)]))),
    ],
  };
}

/** No user's token can have the `admin` scope, but this check does not rely on that. */
const refuseUsers: Handler = async (ctx, next) => {
  if (isClient(fromState(ctx, 'principal'))) return await next();
  respondWithError(ctx, 403, 'Only clients that act on their own behalf can use this API.');
};

function limitClient(limits: ManagementDeps['limits']): Handler {
  return (ctx, next) => {
    const principal = fromState(ctx, 'principal');
    if (principal.kind === 'bearer') limits.spend('management-by-client', principal.clientId, createOnce());
    return next();
  };
}

/** Reports whether the token still permits the request. It can expire or be revoked while a password is hashed. */
function mayContinue(ctx: RequestContext, tokens: LocalTokenLookup): boolean {
  const { principal } = recheckToken(header(ctx, 'authorization'), tokens.recheckLookup);
  return isClient(principal) && ADMIN_POLICY({ method: ctx.method, principal }).allowed;
}

function isClient(principal: Principal): boolean {
  return principal.kind === 'bearer' && principal.userId === null;
}
