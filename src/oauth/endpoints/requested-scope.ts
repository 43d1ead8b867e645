import { isRestricted, isWithin, parseScope, withoutForbidden, type Scope } from '../../domain/scope.ts';
import type { RegisteredGrant } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import { sanitizeNames } from '../refusals/sanitize.ts';
import { OAuthError } from './errors.ts';

export interface ScopeSettings {
  /** Name to description. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly defaultScopes: { readonly [Grant in RegisteredGrant]: Scope };
}

/**
 * The scope a request asks for: its parameter's, or the default of the grant (RFC 6749 §3.3).
 * @throws OAuthError `invalid_scope` for an unknown or malformed name, for one that the operator has
 *   to allow the client first, or when there is no default
 */
export function requestedScope(
  parameter: string | undefined,
  grant: RegisteredGrant,
  settings: ScopeSettings,
  client: Pick<Client, 'restrictedScopes'>,
): Scope {
  const asked = parseScopeParameter(parameter ?? '');
  const scope = asked.length === 0 ? settings.defaultScopes[grant] : asked;
  if (scope.length === 0)
    throw new OAuthError('invalid_scope', 'scope is missing, and this server has no default for this grant', {
      rule: 'scope-missing',
      grant,
    });
  const known = Object.keys(settings.scopes);
  if (!isWithin(scope, known)) {
    const unknown = sanitizeNames(scope.filter((name) => !known.includes(name)));
    throw new OAuthError('invalid_scope', `unknown scope; this server knows: ${known.join(' ')}`, {
      rule: 'scope-unknown',
      unknown,
      known: sanitizeNames(known),
    });
  }
  requireAllowedScope(scope, client);
  return scope;
}

/** @throws OAuthError `invalid_scope` when the operator has to allow the client one of these names first */
export function requireAllowedScope(scope: Scope, { restrictedScopes }: Pick<Client, 'restrictedScopes'>): void {
  if (withoutForbidden(scope, restrictedScopes) === scope) return;
  const restricted = scope.filter((name) => isRestricted(name) && !restrictedScopes.includes(name));
  throw new OAuthError('invalid_scope', 'the operator of this server has to allow this client that scope first', {
    rule: 'scope-restricted',
    restricted,
  });
}

/** The names in a `scope` parameter. @throws OAuthError `invalid_scope` when one is malformed */
export function parseScopeParameter(parameter: string): Scope {
  const scope = parseScope(parameter);
  if (scope === undefined)
    throw new OAuthError('invalid_scope', 'scope has a character that no scope name may have', {
      rule: 'scope-malformed',
    });
  return scope;
}
