import type { Router } from '@koa/router';
import { allOf } from '../../../policy/combinators.ts';
import type { Policy } from '../../../policy/policy.ts';
import { tokenScopes } from '../../../policy/requirements.ts';
import { operationsOf } from '../../openapi/operation.ts';
import { policiesOf } from '../../pipeline/require-policy.ts';
import type { ScopeDescription } from '../render.ts';
import type { RequestState } from '../../pipeline/state.ts';

/** What a scope lets an application do, for the user who decides about it. */
export type DescribeScope = (name: string) => ScopeDescription;

/**
 * Descriptions in the operator's words, with what `routers` themselves disclose or allow by each scope. The latter is
 * read off the routes and their policies, so no setting can leave it out.
 */
export function scopeDescriptions(
  scopes: Readonly<Record<string, string>>,
  routers: readonly Router<RequestState>[],
): DescribeScope {
  const effects = effectsByScope(routers);
  return (name) => ({ name, description: scopes[name] ?? name, effects: [...(effects.get(name) ?? [])] });
}

function effectsByScope(routers: readonly Router<RequestState>[]): ReadonlyMap<string, ReadonlySet<string>> {
  const effects = new Map<string, Set<string>>();
  for (const layer of routers.flatMap(({ stack }) => stack)) {
    const policies = layer.stack.flatMap(policiesOf);
    for (const { method, effect } of layer.stack.flatMap(operationsOf)) {
      if (effect === undefined) continue;
      for (const scope of scopesFor(policies, method)) {
        effects.set(scope, (effects.get(scope) ?? new Set()).add(effect));
      }
    }
  }
  return effects;
}

/** Every scope that some way past the policies needs. */
function scopesFor(policies: readonly Policy[], method: string): ReadonlySet<string> {
  return new Set(tokenScopes(allOf(...policies).requirements(method)).flat());
}
