import { isRestricted, isWithin, needsLogin, parseScope, withoutForbidden, type Scope } from '../../domain/scope.ts';
import type { RegisteredGrant } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import { sanitizeNames } from '../refusals/sanitize.ts';
import { oauthError } from './errors.ts';

export interface ScopeSettings {
  /** Descriptions by name. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly defaultScopes: { readonly [Grant in RegisteredGrant]: Scope };
}

/**
 * The requested scope, or the default of the grant type (RFC 6749 §3.3).
 * @throws OAuthError `invalid_scope`: malformed, unknown or not allowed for this client, or missing without a default
 */
export function requestedScope(
  parameter: string | undefined,
  grant: RegisteredGrant,
  settings: ScopeSettings,
  client: Pick<Client, 'restrictedScopes'>,
): Scope {
  const requested = parseScopeParameter(parameter ?? '');
  const scope = requested.length === 0 ? settings.defaultScopes[grant] : requested;
  if (scope.length === 0) throw oauthError({ rule: 'scope-missing', grant });
  const known = Object.keys(settings.scopes);
  if (!isWithin(scope, known)) {
    const unknown = sanitizeNames(scope.filter((name) => !known.includes(name)));
    throw oauthError({ rule: 'scope-unknown', unknown, known: sanitizeNames(known) });
  }
  const [needing] = scope.filter(needsLogin);
  if (needing !== undefined && grant !== 'authorization-code' && grant !== 'device-code')
    throw oauthError({ rule: 'scope-needs-login', scope: needing, grant });
  requireAllowedScope(scope, client);
  return scope;
}

/** @throws OAuthError `invalid_scope` if the operator must first allow the client to use one of these scopes */
export function requireAllowedScope(scope: Scope, { restrictedScopes }: Pick<Client, 'restrictedScopes'>): void {
  if (withoutForbidden(scope, restrictedScopes) === scope) return;
  const restricted = scope.filter((name) => isRestricted(name) && !restrictedScopes.includes(name));
  throw oauthError({ rule: 'scope-restricted', restricted });
}

/** @throws OAuthError `invalid_scope` if a name is malformed */
export function parseScopeParameter(parameter: string): Scope {
  const scope = parseScope(parameter);
  if (scope === undefined) throw oauthError({ rule: 'scope-malformed' });
  return scope;
}
