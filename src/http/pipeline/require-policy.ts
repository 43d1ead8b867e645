import type { Context, Next } from 'koa';
import { formatScope } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { unreachable } from '../../domain/values.ts';
import { PolicyDeclarationError } from '../../policy/declaration.ts';
import type { Denial, Policy, Principal } from '../../policy/policy.ts';
import { FORBIDDEN, isDenial, isPolicy, isPrincipal } from '../../policy/policy.ts';
import { policyDenial, sessionRefusal, type DeniedRequest } from './policy-denial.ts';
import type { PrincipalState, SessionRefusal } from './principal-state.ts';
import { headerSafeUrl, type ResourceMetadata } from './resource-metadata.ts';

/** The part of a Koa context that a policy needs. */
export type PolicyContext = Pick<Context, 'method' | 'status' | 'body' | 'set'> & { state: object };

/** `resourceMetadata` applies to this route only. For a whole API, use the option of `bearerToken`. */
export interface RequirePolicyOptions<C> extends ResourceMetadata {
  /** The object of the request; 404 if undefined. Called only when the caller meets all other requirements. */
  readonly loadObject?: (ctx: C) => unknown;
}

/** A middleware with its policy, from which the OpenAPI document derives who may call the route. */
export interface Guard<C> {
  (ctx: C, next: Next): Promise<void>;
  readonly policy: Policy;
}

const CHALLENGE = 'Bearer realm="api"';
const NO_PERMISSION = 'You do not have permission to perform this action.';
const CSRF_DETAILS: Readonly<Record<SessionRefusal, string>> = {
  'csrf-token-missing': 'CSRF token missing: a web session must send its token in the X-CSRF-Token header.',
  'csrf-token-wrong': 'CSRF token incorrect: the X-CSRF-Token header does not contain the token of this web session.',
};

/**
 * Passes a request to the next middleware if `policy` allows it. Otherwise it responds 401 or 403 itself, so a resource
 * server needs no other part of this service. A loaded object is set on `ctx.state.object`. An earlier middleware must
 * have set `ctx.state.principal`; otherwise every request fails with 500.
 * @throws PolicyDeclarationError while routes are built; see `atRoute` to have it name the route
 */
export function requirePolicy<C extends PolicyContext = Context>(
  policy: Policy,
  { loadObject, resourceMetadata }: RequirePolicyOptions<C> = {},
): Guard<C> {
  if (!isPolicy(policy)) throw new PolicyDeclarationError('missing', 'the route declares none');
  if (loadObject !== undefined && typeof loadObject !== 'function') {
    throw new PolicyDeclarationError('object-check', 'loadObject must be a function');
  }
  if (policy.needsObject && loadObject === undefined) {
    throw new PolicyDeclarationError('object-check', 'the route does not say how to load the object');
  }
  const metadataUrl = resourceMetadata === undefined ? undefined : headerSafeUrl(resourceMetadata);
  const guard = async (ctx: C, next: Next): Promise<void> => {
    const principal = principalOf(ctx);
    let verdict = policy({ method: ctx.method, principal });
    if (loadObject !== undefined && (verdict.allowed || verdict.reason === 'undecided')) {
      const object = await loadObject(ctx);
      if (object === undefined || object === null) return answer(ctx, 404, { detail: 'Not found.' });
      verdict = policy({ method: ctx.method, principal, object });
      if (verdict.allowed) Object.assign(ctx.state, { object });
    }
    if (verdict.allowed) return await next();
    const denial = isDenial(verdict) ? verdict : FORBIDDEN; // a policy that no compiler checked can return anything
    const denied = deniedRequest(ctx, policy, principal);
    await recordDeniedRequest(ctx, denial, denied);
    return deny(ctx, denial, denied, metadataUrl);
  };
  return Object.assign(guard, { policy });
}

/** The policy of a guard; none for other middleware. */
export function policiesOf(middleware: object): readonly Policy[] {
  return 'policy' in middleware && isPolicy(middleware.policy) ? [middleware.policy] : [];
}

function principalOf({ state }: PolicyContext): Principal {
  const principal = 'principal' in state ? state.principal : undefined;
  if (isPrincipal(principal)) return principal;
  throw new Error('requirePolicy: no earlier middleware has set a principal on ctx.state');
}

function deniedRequest({ method, state }: PolicyContext, policy: Policy, principal: Principal): DeniedRequest {
  const { authorization, sessionRefused }: Partial<PrincipalState> = state;
  return { requirements: policy.requirements(method), principal, authorization, sessionRefused, method };
}

/** Records the reason, which the response does not contain. */
async function recordDeniedRequest(ctx: PolicyContext, denial: Denial, denied: DeniedRequest): Promise<void> {
  const { recordDenial }: Partial<PrincipalState> = ctx.state;
  await recordDenial?.(policyDenial(denial, denied));
}

/** Denies a request that no policy has decided. The challenges are those of RFC 6750 §3. */
function deny(ctx: PolicyContext, denial: Denial, denied: DeniedRequest, metadataUrl: string | undefined): void {
  const refused = sessionRefusal(denial, denied);
  if (refused !== undefined) return answer(ctx, 403, { detail: CSRF_DETAILS[refused] });
  switch (denial.reason) {
    case 'unauthenticated':
      return unauthenticated(ctx, metadataUrl);
    case 'insufficient-scope':
      return insufficientScope(ctx, denial.alternatives);
    case 'forbidden':
    case 'undecided':
      return answer(ctx, 403, { detail: NO_PERMISSION });
    default:
      return unreachable(denial);
  }
}

function unauthenticated(ctx: PolicyContext, metadataUrl: string | undefined): void {
  const { authorization, resourceMetadata }: Partial<PrincipalState> = ctx.state;
  const isInvalid = authorization === 'invalid-token';
  const metadata = metadataUrl ?? resourceMetadata;
  ctx.set(
    'WWW-Authenticate',
    [
      CHALLENGE,
      ...(isInvalid ? ['error="invalid_token"'] : []),
      ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
    ].join(', '),
  );
  answer(ctx, 401, {
    detail: isInvalid ? 'The access token is invalid or expired.' : 'Authentication credentials were not provided.',
  });
}

/** The header can name only one alternative: the one with the fewest scopes. The body lists all. */
function insufficientScope(ctx: PolicyContext, alternatives: readonly Scope[]): void {
  const shortest = alternatives.reduce((one, other) => (other.length < one.length ? other : one));
  ctx.set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${formatScope(shortest)}"`);
  answer(ctx, 403, {
    detail: NO_PERMISSION,
    required_scopes: shortest,
    ...(alternatives.length > 1 ? { required_alternate_scopes: alternatives } : {}),
  });
}

function answer(ctx: PolicyContext, status: number, body: object): void {
  ctx.status = status;
  ctx.body = body;
}
