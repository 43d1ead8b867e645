import { allOf } from '../../../policy/combinators.ts';
import type { Policy } from '../../../policy/policy.ts';
import { tokenScopes } from '../../../policy/requirements.ts';
import { policiesOf } from '../../pipeline/require-policy.ts';
import type { ScopeDescription } from './locals.ts';
import type { Route } from '../../route.ts';

/** Describes a scope to the user who decides about it. */
export type DescribeScope = (name: string) => ScopeDescription;

/**
 * Combines the operator's descriptions with the effects that `routers` declare for each scope. The effects come from
 * the routes and their policies, so no setting can hide them.
 */
export function scopeDescriptions(scopes: Readonly<Record<string, string>>, routes: readonly Route[]): DescribeScope {
  const effects = effectsByScope(routes);
  return (name) => ({ name, description: scopes[name] ?? name, effects: [...(effects.get(name) ?? [])] });
}

function effectsByScope(routes: readonly Route[]): ReadonlyMap<string, ReadonlySet<string>> {
  const effects = new Map<string, Set<string>>();
  for (const { pipeline, openApi = [] } of routes) {
    const policies = pipeline.flatMap(policiesOf);
    for (const { method, effect } of openApi) {
      if (effect === undefined) continue;
      for (const scope of scopesFor(policies, method)) {
        effects.set(scope, (effects.get(scope) ?? new Set()).add(effect));
      }
    }
  }
  return effects;
}

/** Every scope that one of the ways through the policies requires. */
function scopesFor(policies: readonly Policy[], method: string): ReadonlySet<string> {
  return new Set(tokenScopes(allOf(...policies).requirements(method)).flat());
}
