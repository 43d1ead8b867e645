import { isRestricted, parseScope, withoutForbidden, type Scope } from '../../domain/scope.ts';
import type { ScopedGrant } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import { oauthError } from './errors.ts';

export interface ScopeSettings {
  /** The descriptions of the scopes, keyed by name. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly defaultScopes: { readonly [Grant in ScopedGrant]: Scope };
}

/**
 * Requires that the client may use all restricted scopes in `scope`.
 * @throws OAuthError `invalid_scope` if the client may not use one of them
 */
export function requireAllowedScope(scope: Scope, { restrictedScopes }: Pick<Client, 'restrictedScopes'>): void {
  if (withoutForbidden(scope, restrictedScopes) === scope) return;
  const restrictedNames = scope.filter((name) => isRestricted(name) && !restrictedScopes.includes(name));
  throw oauthError({ rule: 'scope-restricted', restricted: restrictedNames });
}

/**
 * Returns the scope that the parameter contains.
 * @throws OAuthError `invalid_scope` if a name is malformed
 */
export function parseScopeParameter(parameter: string): Scope {
  const scope = parseScope(parameter);
  if (scope === undefined) throw oauthError({ rule: 'scope-malformed' });
  return scope;
}
