import type { EventOf } from './events.ts';
import { narrowResources, type Resources } from './resource.ts';
import { isWithin, narrowScope, type Scope } from './scope.ts';

/** Limits on the tokens issued for a JWT, set by the registration of the JWT's issuer or by the JWT itself. */
export interface IssuerLimit {
  readonly by: 'issuer' | 'assertion';
  /** Null if there is no limit. */
  readonly scope: Scope | null;
  /** Null if there is no limit; an empty list allows no resource servers. */
  readonly resources: Resources | null;
}

export interface NarrowedAccess {
  readonly scope: Scope;
  readonly resource: Resources;
}

export type LimitProblem =
  | {
      readonly problem: 'scope-beyond';
      readonly limit: IssuerLimit['by'];
      /** The requested scopes that the limit does not allow. */
      readonly missing: readonly string[];
      readonly allowed: readonly string[];
    }
  | {
      readonly problem: 'resource-beyond';
      readonly limit: IssuerLimit['by'];
      /** The requested resource servers that the limit does not allow. */
      readonly missing: readonly string[];
      readonly allowed: readonly string[];
    }
  | { readonly problem: 'no-scope-left' }
  | { readonly problem: 'no-resource-left' };

/**
 * Returns the access that a request gets within all limits: the requested scopes and resource servers, or, if none are
 * requested, those that every limit allows. Returns a problem if the request exceeds a limit or if no access is left.
 * @param requested empty lists request everything that the limits allow
 */
export function narrowToLimits(
  requested: { readonly scope: Scope; readonly resource: Resources },
  limits: readonly IssuerLimit[],
): NarrowedAccess | LimitProblem {
  const resource = narrowResourcesToLimits(requested.resource, limits);
  if ('problem' in resource) return resource;
  let commonScope: Scope | undefined;
  for (const { by, scope } of limits) {
    if (scope === null) continue;
    if (!isWithin(requested.scope, scope)) {
      const missing = requested.scope.filter((name) => !scope.includes(name));
      return { problem: 'scope-beyond', limit: by, missing, allowed: scope };
    }
    commonScope = narrowScope(commonScope ?? scope, new Set(scope));
  }
  const scope = requested.scope.length > 0 ? requested.scope : (commonScope ?? []);
  return scope.length === 0 ? { problem: 'no-scope-left' } : { scope, resource };
}

function narrowResourcesToLimits(requested: Resources, limits: readonly IssuerLimit[]): Resources | LimitProblem {
  let commonResources: Resources = [];
  for (const { by, resources } of limits) {
    if (resources === null) continue;
    if (narrowResources(requested, resources) === undefined) {
      const missing = requested.filter((uri) => !resources.includes(uri));
      return { problem: 'resource-beyond', limit: by, missing, allowed: resources };
    }
    const intersection =
      commonResources.length === 0 ? resources : commonResources.filter((uri) => resources.includes(uri));
    // An empty result would mean that the access is not restricted.
    if (intersection.length === 0) return { problem: 'no-resource-left' };
    commonResources = intersection;
  }
  return requested.length > 0 ? requested : commonResources;
}

/** The payload of the event that records the redemption of an assertion. */
export type RedeemedAssertion = EventOf<'AssertionRedeemed'>['data'];
