import type { Context, Next } from 'koa';
import { formatScope } from '../../domain/scope.ts';
import type { Scope } from '../../domain/scope.ts';
import { PolicyDeclarationError } from '../../policy/declaration.ts';
import type { Denial, Policy, Principal } from '../../policy/policy.ts';
import { isPolicy, isPrincipal } from '../../policy/policy.ts';
import { policyDenial, sessionRefusal, type DeniedRequest } from './policy-denial.ts';
import type { PrincipalState, SessionRefusal } from './principal-state.ts';
import { headerSafeUrl, type ResourceMetadata } from './resource-metadata.ts';

/** As much of a Koa context as judging takes; any router's context has it. */
export type PolicyContext = Pick<Context, 'method' | 'status' | 'body' | 'set'> & { state: object };

/** `resourceMetadata` is for this route alone; see `bearerToken` for all of an API's. */
export interface RequirePolicyOptions<C> extends ResourceMetadata {
  /** The object the request is about; `undefined` answers 404. Asked only once the caller passed all else. */
  readonly loadObject?: (ctx: C) => unknown;
}

/** A middleware that says by which policy it judges, so that whoever describes the route need not be told. */
export interface Guard<C> {
  (ctx: C, next: Next): Promise<void>;
  readonly policy: Policy;
}

const CHALLENGE = 'Bearer realm="api"';
const NO_PERMISSION = 'You do not have permission to perform this action.';
const CSRF_DETAILS: Readonly<Record<SessionRefusal, string>> = {
  'csrf-token-missing': 'CSRF token missing: a web session must send its token in the X-CSRF-Token header.',
  'csrf-token-wrong': 'CSRF token incorrect: the X-CSRF-Token header does not have the token of this web session.',
};

/**
 * Lets a request through to the next middleware if `policy` allows it, and otherwise answers 401 or 403 itself, so that
 * a resource server needs nothing else of this service. A loaded object is left on `ctx.state.object`.
 * An earlier middleware has to have set `ctx.state.principal`; without one every request fails with a 500.
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
    const denied = deniedRequest(ctx, policy, principal);
    await recordDeniedRequest(ctx, verdict, denied);
    return deny(ctx, verdict, denied, metadataUrl);
  };
  return Object.assign(guard, { policy });
}

/** The policies by which `middleware` lets anybody through: one for a guard, none for all else. */
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

/** Why it is a no, for whoever keeps that; the caller is told no more of it. */
async function recordDeniedRequest(ctx: PolicyContext, denial: Denial, denied: DeniedRequest): Promise<void> {
  const { recordDenial }: Partial<PrincipalState> = ctx.state;
  await recordDenial?.(policyDenial(denial, denied));
}

/** Whatever is not a yes by now is a no, also what is undecided still. The challenges are those of RFC 6750 §3. */
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
    default:
      return answer(ctx, 403, { detail: NO_PERMISSION });
  }
}

function unauthenticated(ctx: PolicyContext, metadataUrl: string | undefined): void {
  const { authorization, resourceMetadata }: Partial<PrincipalState> = ctx.state;
  const dead = authorization === 'dead-token';
  const metadata = metadataUrl ?? resourceMetadata;
  ctx.set(
    'WWW-Authenticate',
    [
      CHALLENGE,
      ...(dead ? ['error="invalid_token"'] : []),
      ...(metadata === undefined ? [] : [`resource_metadata="${metadata}"`]),
    ].join(', '),
  );
  answer(ctx, 401, {
    detail: dead ? 'The access token is invalid or expired.' : 'Authentication credentials were not provided.',
  });
}

/** A header has room for one alternative: the one of the fewest scopes. The body lists them all. */
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
