import type { Context, Next } from 'koa';
import { unreachable } from '../../domain/values.ts';
import type { Clock } from '../../platform/ports.ts';
import { PolicyDeclarationError } from '../../policy/declaration.ts';
import type { AuthenticatedPrincipal, Denial, Policy, Principal, Verdict } from '../../policy/policy.ts';
import { FORBIDDEN, isDenial, isPolicy, isPrincipal, UNAUTHENTICATED } from '../../policy/policy.ts';
import { tokenScopes } from '../../policy/requirements.ts';
import type { LoginOptions } from '../../policy/required-login.ts';
import { createLoginCheck, type InsufficientLogin } from '../../policy/resource-server/login-check.ts';
import {
  respond,
  respondInsufficientLogin,
  respondInsufficientScope,
  respondUnauthenticated,
  respondUnbound,
  NO_PERMISSION,
} from './policy-challenges.ts';
import type { PolicyContext } from './policy-context.ts';
import { policyDenial, sessionRefusal, type DeniedRequest } from './policy-denial.ts';
import type { PrincipalState, SessionRefusal } from './principal-state.ts';
import { headerSafeUrl, type ResourceMetadata } from './resource-metadata.ts';

/**
 * The options of a route. `resourceMetadata` applies only to this route. For a whole API, use the `bearerToken` option
 * of the same name. `maxAge` and `acr` require a sufficiently recent or strong login, whatever the policy requires (RFC
 * 9470). `senderConstrained` requires a token to be bound to a key or certificate (RFC 9449, RFC 8705).
 */
export interface RequirePolicyOptions<C> extends ResourceMetadata, LoginOptions {
  /**
   * Returns the object that the request concerns. If the object is undefined or null, the response is 404. Called only
   * if the caller meets all other requirements.
   */
  readonly loadObject?: (ctx: C) => unknown;
  readonly senderConstrained?: boolean;
}

/** Middleware with its policy, from which the OpenAPI document derives the credentials that the route accepts. */
export interface Guard<C> {
  (ctx: C, next: Next): Promise<void>;
  readonly policy: Policy;
}

const CSRF_DETAILS: Readonly<Record<SessionRefusal, string>> = {
  'csrf-token-missing':
    "CSRF token missing: requests from a web session must include the session's token in the X-CSRF-Token header.",
  'csrf-token-wrong': "CSRF token incorrect: the X-CSRF-Token header does not contain this web session's token.",
};

/**
 * Returns middleware that passes a request on if `policy` allows it, and otherwise responds with 401, 403 or 404. It
 * does not throw these errors, so a resource server does not need this server's error handling. For an allowed request,
 * `ctx.state.object` contains the loaded object. Earlier middleware must have set `ctx.state.principal`; otherwise,
 * every request fails with 500.
 * @param clock measures the age of logins; the system clock by default
 * @throws PolicyDeclarationError while routes are built, if the declaration is incomplete or invalid
 */
export function requirePolicy<C extends PolicyContext = Context>(
  policy: Policy,
  { loadObject, resourceMetadata, maxAge, acr, senderConstrained = false }: RequirePolicyOptions<C> = {},
  clock?: Pick<Clock, 'now'>,
): Guard<C> {
  if (!isPolicy(policy)) throw new PolicyDeclarationError('missing', 'the route declares none');
  if (loadObject !== undefined && typeof loadObject !== 'function') {
    throw new PolicyDeclarationError('object-check', 'loadObject must be a function');
  }
  if (policy.needsObject && loadObject === undefined) {
    throw new PolicyDeclarationError('object-check', 'loadObject is required, because the policy checks the object');
  }
  const checkLogin = createLoginCheck({ maxAge, acr }, clock);
  const metadataUrl = resourceMetadata === undefined ? undefined : headerSafeUrl(resourceMetadata);
  const guard = async (ctx: C, next: Next): Promise<void> => {
    const principal = principalOf(ctx);
    let verdict = policy({ method: ctx.method, principal });
    if (senderConstrained && couldBeAllowed(verdict) && isUnboundToken(principal))
      return await denyUnbound(ctx, policy, metadataUrl);
    if (senderConstrained && principal.kind === 'anonymous' && verdict.allowed) verdict = UNAUTHENTICATED;
    if (checkLogin !== undefined && couldBeAllowed(verdict)) {
      if (principal.kind === 'anonymous') verdict = UNAUTHENTICATED;
      else {
        const insufficientLogin = checkLogin(principal);
        if (insufficientLogin !== undefined)
          return await denyLogin(ctx, insufficientLogin, policy, principal, metadataUrl);
      }
    }
    if (loadObject !== undefined && (verdict.allowed || verdict.reason === 'undecided')) {
      const object = await loadObject(ctx);
      if (object === undefined || object === null) return respond(ctx, 404, { detail: 'Not found.' });
      verdict = policy({ method: ctx.method, principal, object });
      if (verdict.allowed) Object.assign(ctx.state, { object });
    }
    if (verdict.allowed) return await next();
    const denial = isDenial(verdict) ? verdict : FORBIDDEN; // without type checking, a policy can return anything
    const request = deniedRequest(ctx, policy, principal);
    await recordDeniedRequest(ctx, denial, request);
    return deny(ctx, denial, request, metadataUrl);
  };
  return Object.assign(guard, { policy });
}

/** Returns a list with the policy of a guard, or an empty list for other middleware. */
export function policiesOf(middleware: object): readonly Policy[] {
  return 'policy' in middleware && isPolicy(middleware.policy) ? [middleware.policy] : [];
}

function principalOf({ state }: PolicyContext): Principal {
  const principal = 'principal' in state ? state.principal : undefined;
  if (isPrincipal(principal)) return principal;
  throw new Error('requirePolicy: no earlier middleware has set a valid principal on ctx.state');
}

/**
 * Reports whether the request is allowed, or might be allowed with more scopes or after its object has been loaded. The
 * login and the token binding are checked before an insufficient scope is reported, because the responses to those two
 * problems also contain the required scope.
 */
function couldBeAllowed(verdict: Verdict): boolean {
  return verdict.allowed || verdict.reason === 'undecided' || verdict.reason === 'insufficient-scope';
}

function deniedRequest({ method, state }: PolicyContext, policy: Policy, principal: Principal): DeniedRequest {
  const { authorization, sessionRefused }: Partial<PrincipalState> = state;
  return { requirements: policy.requirements(method), principal, authorization, sessionRefused, method };
}

/** Records the complete reason for the denial. The response contains only part of the reason. */
async function recordDeniedRequest(ctx: PolicyContext, denial: Denial, request: DeniedRequest): Promise<void> {
  const { recordDenial }: Partial<PrincipalState> = ctx.state;
  await recordDenial?.(policyDenial(denial, request));
}

/** Responds to a denied request with the challenges of RFC 6750 §3. */
function deny(ctx: PolicyContext, denial: Denial, request: DeniedRequest, metadataUrl: string | undefined): void {
  const refusal = sessionRefusal(denial, request);
  if (refusal !== undefined) return respond(ctx, 403, { detail: CSRF_DETAILS[refusal] });
  switch (denial.reason) {
    case 'unauthenticated':
      return respondUnauthenticated(ctx, { metadataUrl, alternatives: tokenScopes(request.requirements) });
    case 'insufficient-scope':
      return respondInsufficientScope(ctx, request.principal, { metadataUrl, alternatives: denial.alternatives });
    case 'forbidden':
    case 'undecided':
      return respond(ctx, 403, { detail: NO_PERMISSION });
    default:
      return unreachable(denial);
  }
}

function isUnboundToken(principal: Principal): boolean {
  return principal.kind === 'bearer' && principal.confirmation === undefined;
}

async function denyUnbound(ctx: PolicyContext, policy: Policy, metadataUrl: string | undefined): Promise<void> {
  const { recordDenial }: Partial<PrincipalState> = ctx.state;
  await recordDenial?.({ rule: 'token-unbound', needed: 'policy' });
  respondUnbound(ctx, { metadataUrl, alternatives: tokenScopes(policy.requirements(ctx.method)) });
}

async function denyLogin(
  ctx: PolicyContext,
  insufficientLogin: InsufficientLogin,
  policy: Policy,
  principal: AuthenticatedPrincipal,
  metadataUrl: string | undefined,
): Promise<void> {
  const { recordDenial }: Partial<PrincipalState> = ctx.state;
  const { maxAgeSeconds, acr } = insufficientLogin.required;
  const { problem, ageSeconds, acr: seenAcr } = insufficientLogin.shortfall;
  await recordDenial?.({ rule: 'login-insufficient', problem, maxAgeSeconds, acr, ageSeconds, seenAcr });
  respondInsufficientLogin(ctx, insufficientLogin, policy, principal, metadataUrl);
}
