import { formatScope, isWithin, type Scope } from '../../domain/scope.ts';
import { PROOF_ALGORITHMS } from '../../oauth/dpop/proof-key.ts';
import type { AuthenticatedPrincipal, Policy, Principal } from '../../policy/policy.ts';
import { tokenScopes } from '../../policy/requirements.ts';
import type { InsufficientLogin } from '../../policy/resource-server/login-check.ts';
import { challenge } from './challenge.ts';
import type { PrincipalState, SenderRefusal, TokenScheme } from './principal-state.ts';
import type { PolicyContext } from './policy-context.ts';

export const NO_PERMISSION = 'You do not have permission to perform this action.';

export function respond(ctx: PolicyContext, status: number, body: object): void {
  ctx.status = status;
  ctx.body = body;
}

/** Advice for a client on how to get a sufficient token. */
export interface TokenAdvice {
  /** The URL of this route's metadata (RFC 9728 §5.1). If undefined, `ctx.state.resourceMetadata` is used. */
  readonly metadataUrl: string | undefined;
  /** Lists of scopes. A token with all scopes in one of these lists is sufficient. */
  readonly alternatives: readonly Scope[];
}

type Problem = Pick<SenderRefusal, 'scheme' | 'description'> & {
  readonly error?: string | undefined;
  /** Whether the challenge contains the description. The body always does. */
  readonly includesDescription?: boolean;
};

/** Responds to a request without a valid token (RFC 6750 §3, RFC 9449 §7.1). */
export function respondUnauthenticated(ctx: PolicyContext, advice: TokenAdvice): void {
  const { authorization, scheme = 'Bearer', senderRefused }: Partial<PrincipalState> = ctx.state;
  if (senderRefused !== undefined)
    return respondWithProblem(ctx, { ...senderRefused, includesDescription: true }, advice);
  if (authorization === 'invalid-token') {
    const description = 'The access token is invalid or expired.';
    return respondWithProblem(ctx, { scheme, error: 'invalid_token', description }, advice);
  }
  respondWithProblem(ctx, { scheme, description: 'Authentication credentials were not provided.' }, advice);
}

/** Responds to a request with an unbound token that must be bound. */
export function respondUnbound(ctx: PolicyContext, advice: TokenAdvice): void {
  const description = "The access token must be bound to one of the client's keys or certificates.";
  respondWithProblem(ctx, { scheme: 'Bearer', error: 'invalid_token', description, includesDescription: true }, advice);
}

/**
 * Responds with a challenge for the scheme of the request and, if the API accepts DPoP proofs, one for DPoP (RFC 9449
 * §7.1).
 */
function respondWithProblem(
  ctx: PolicyContext,
  { scheme, error, description, includesDescription = false }: Problem,
  { metadataUrl, alternatives }: TokenAdvice,
): void {
  const { resourceMetadata, acceptsProofs = false }: Partial<PrincipalState> = ctx.state;
  const algs = PROOF_ALGORITHMS.join(' ');
  const parameters = {
    realm: 'api',
    error,
    error_description: includesDescription ? description : undefined,
    algs: scheme === 'DPoP' ? algs : undefined,
    scope: scopeParameter(findShortest(alternatives)),
    resource_metadata: metadataUrl ?? resourceMetadata,
  };
  const schemeChallenge = challenge(scheme, parameters);
  ctx.set(
    'WWW-Authenticate',
    scheme === 'DPoP' || !acceptsProofs ? schemeChallenge : [schemeChallenge, challenge('DPoP', { algs })],
  );
  respond(ctx, 401, { detail: description });
}

const LOGIN_PROBLEMS: Readonly<Record<InsufficientLogin['shortfall']['problem'], string>> = {
  'no-user': 'This operation requires a user to log in, but the access token was not issued for a user.',
  'not-recorded': 'There is no record of when or how the user logged in.',
  'too-old': "The user's login is too old.",
  'too-weak': "The user's login is too weak.",
};

/**
 * Responds to a request for which the user's login is insufficient (RFC 9470 §3). The challenge contains the scope that
 * the route requires, so one authorization is enough.
 */
export function respondInsufficientLogin(
  ctx: PolicyContext,
  { required: { maxAgeSeconds, acr }, shortfall: { problem } }: InsufficientLogin,
  policy: Policy,
  principal: AuthenticatedPrincipal,
  metadataUrl: string | undefined,
): void {
  const { resourceMetadata }: Partial<PrincipalState> = ctx.state;
  const detail = LOGIN_PROBLEMS[problem];
  const scope = scopeFor(principal, tokenScopes(policy.requirements(ctx.method)));
  ctx.set(
    'WWW-Authenticate',
    challenge(schemeOf(principal), {
      realm: 'api',
      error: 'insufficient_user_authentication',
      error_description: detail,
      acr_values: acr.length === 0 ? undefined : acr.join(' '),
      max_age: maxAgeSeconds ?? undefined,
      scope: scopeParameter(scope),
      resource_metadata: metadataUrl ?? resourceMetadata,
    }),
  );
  respond(ctx, 401, {
    detail,
    ...(acr.length === 0 ? {} : { acr_values: acr }),
    ...(maxAgeSeconds === null ? {} : { max_age: maxAgeSeconds }),
  });
}

/** Returns an alternative that the token already covers, or the shortest alternative if it covers none. */
function scopeFor(principal: AuthenticatedPrincipal, alternatives: readonly Scope[]): Scope {
  const grantedScope = principal.kind === 'bearer' ? principal.scope : [];
  return alternatives.find((scope) => isWithin(scope, grantedScope)) ?? findShortest(alternatives);
}

/**
 * Responds to a request whose token lacks a scope. The header can contain only one alternative: the one with the fewest
 * scopes. The body lists all alternatives.
 */
export function respondInsufficientScope(
  ctx: PolicyContext,
  principal: Principal,
  { metadataUrl, alternatives }: TokenAdvice,
): void {
  const { resourceMetadata }: Partial<PrincipalState> = ctx.state;
  const shortest = findShortest(alternatives);
  const parameters = {
    error: 'insufficient_scope',
    scope: formatScope(shortest),
    resource_metadata: metadataUrl ?? resourceMetadata,
  };
  ctx.set('WWW-Authenticate', challenge(schemeOf(principal), parameters));
  respond(ctx, 403, {
    detail: NO_PERMISSION,
    required_scopes: shortest,
    ...(alternatives.length > 1 ? { required_alternate_scopes: alternatives } : {}),
  });
}

/** Returns the value of the `scope` parameter, or undefined if no scope is required. */
function scopeParameter(scope: Scope): string | undefined {
  return scope.length === 0 ? undefined : formatScope(scope);
}

function findShortest(alternatives: readonly Scope[]): Scope {
  return alternatives.reduce((a, b) => (b.length < a.length ? b : a), alternatives[0] ?? []);
}

/** Returns the scheme with which the caller sent the token, or `Bearer` for a web session. */
function schemeOf(principal: Principal): TokenScheme {
  return principal.kind === 'bearer' && principal.confirmation?.method === 'jkt' ? 'DPoP' : 'Bearer';
}
