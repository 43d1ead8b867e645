import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import type { Resources } from '../../domain/resource.ts';
import { isOpenIdScope, needsLogin, type Scope } from '../../domain/scope.ts';
import type { ScopedGrant } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import { requestedDetails, type DetailClient } from '../details/requested-details.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import { requestedResources } from '../endpoints/requested-resources.ts';
import { parseScopeParameter, requireAllowedScope, type ScopeSettings } from '../endpoints/requested-scope.ts';
import { sanitize, sanitizeNames } from '../refusals/sanitize.ts';
import { definedScopes, type KnownResources } from './known-resources.ts';

/** The access that a request asks for. */
export interface RequestedAccess {
  readonly scope: Scope;
  readonly resource: Resources;
  /** The authorization details (RFC 9396). */
  readonly details: readonly AuthorizationDetail[];
}

/**
 * Returns the scope, the resource servers and the authorization details of a request (RFC 6749 §3.3, RFC 8707 §2, RFC
 * 9396 §2).
 *
 * A request that specifies no resource server is for those that define its scopes or declare the types of its
 * authorization details. A scope that a resource server defines is never granted for all resource servers, because its
 * description applies only where it is defined. Scopes that the resource servers do not define are left out, except
 * OpenID Connect scopes. If there are authorization details, there is no default scope.
 * @throws OAuthError `invalid_scope` if the scope is malformed, unknown or not allowed for this client or grant type,
 * or is missing and has no default; `invalid_target` if there are too many resource servers, or they are malformed,
 * unknown or ambiguous; `invalid_authorization_details` for the reasons listed at `requestedDetails`, if the grant type
 * does not allow details, or if the details are for a resource server that the request does not specify
 */
export function requestedAccess(
  parameters: Parameters,
  grant: ScopedGrant,
  client: Pick<Client, 'restrictedScopes'> & DetailClient,
  settings: ScopeSettings,
  resources: KnownResources,
): RequestedAccess {
  const requestedUris = requestedResources(parameters, resources.uris());
  const requestedScope = parseScopeParameter(parameters.get('scope') ?? '');
  const details = requestedDetails(parameters, client, resources);
  const resource =
    requestedUris.length === 0 ? definingResources(requestedScope, details, settings, resources) : requestedUris;
  if (details.length > 0) requireAllowedDetails(details, grant, resource, resources);
  const definedNames = definedScopes(resource, resources);
  const scope =
    requestedScope.length === 0 && details.length === 0 ? defaultScope(grant, settings, definedNames) : requestedScope;
  if (scope.length === 0 && details.length === 0) throw oauthError({ rule: 'scope-missing', grant });
  requireKnownScope(scope, settings, resource, resources);
  const loginScope = scope.find(needsLogin);
  if (loginScope !== undefined && grant !== 'authorization-code' && grant !== 'device-code')
    throw oauthError({ rule: 'scope-needs-login', scope: loginScope, grant });
  requireAllowedScope(scope, client);
  return { scope: effectiveScope(scope, definedNames, details), resource, details };
}

/** Returns the resource servers that declare the types of the details or define the scopes outside the settings. */
function definingResources(
  scope: Scope,
  details: readonly AuthorizationDetail[],
  settings: ScopeSettings,
  resources: KnownResources,
): Resources {
  const uris = detailUris(details, resources);
  const { scopes } = settings;
  for (const name of scope) {
    if (Object.hasOwn(scopes, name)) continue;
    const [definingServer, ...otherServers] = resources.findByScope(name);
    if (otherServers.length > 0) throw oauthError({ rule: 'scope-of-several-resources', scope: sanitizeNames([name]) });
    if (definingServer !== undefined && !uris.includes(definingServer.uri)) uris.push(definingServer.uri);
  }
  return uris;
}

/** Returns the resource servers that declare the types of the details. */
function detailUris(details: readonly AuthorizationDetail[], resources: KnownResources): string[] {
  if (details.length === 0) return [];
  return [...new Set(details.flatMap(({ type }) => resources.detailTypes().get(type)?.resource ?? []))];
}

/**
 * Refuses details that cannot be granted. Details that concern a user require consent, which `password` does not ask
 * for. All details must be for the token's resource servers.
 */
function requireAllowedDetails(
  details: readonly AuthorizationDetail[],
  grant: ScopedGrant,
  resource: Resources,
  resources: KnownResources,
): void {
  if (grant === 'password') throw oauthError({ rule: 'details-need-consent', grant });
  const declaredTypes = resources.detailTypes();
  const foreignDetail = details.find(({ type }) => !resource.includes(declaredTypes.get(type)?.resource ?? ''));
  if (foreignDetail !== undefined)
    throw oauthError({ rule: 'details-of-other-resource', type: sanitize(foreignDetail.type), resource });
}

function defaultScope(grant: ScopedGrant, settings: ScopeSettings, definedNames: ReadonlySet<string> | null): Scope {
  const grantScope = settings.defaultScopes[grant];
  if (definedNames === null) return grantScope;
  const sharedScope = grantScope.filter((name) => definedNames.has(name));
  return sharedScope.length > 0 ? sharedScope : [...definedNames];
}

function requireKnownScope(
  scope: Scope,
  settings: ScopeSettings,
  resource: Resources,
  resources: KnownResources,
): void {
  const { scopes } = settings;
  const isKnown = (name: string): boolean =>
    Object.hasOwn(scopes, name) || resource.some((uri) => Object.hasOwn(resources.find(uri)?.scopes ?? {}, name));
  if (scope.every(isKnown)) return;
  const resourceScopes = resource.flatMap((uri) => Object.keys(resources.find(uri)?.scopes ?? {}));
  const knownNames = [...new Set([...Object.keys(scopes), ...resourceScopes])];
  const unknownNames = sanitizeNames(scope.filter((name) => !isKnown(name)));
  throw oauthError({ rule: 'scope-unknown', unknown: unknownNames, known: sanitizeNames(knownNames) });
}

function effectiveScope(
  scope: Scope,
  definedNames: ReadonlySet<string> | null,
  details: readonly AuthorizationDetail[],
): Scope {
  if (definedNames === null) return scope;
  const remainingScope = scope.filter((name) => definedNames.has(name) || isOpenIdScope(name));
  if (details.length > 0 || remainingScope.some((name) => definedNames.has(name))) return remainingScope;
  throw oauthError({
    rule: 'scope-not-of-resource',
    seen: sanitizeNames(scope),
    defined: sanitizeNames([...definedNames]),
  });
}
