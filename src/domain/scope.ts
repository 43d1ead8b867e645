import { RESTRICTED_SCOPES, type RestrictedScope } from './values.ts';

/** RFC 6749 §3.3: printable ASCII without space, double quote and backslash. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The built-in scopes of OpenID Connect Core §5.4 and §11. */
const OPENID_SCOPES = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'] as const;
export type OpenIdScope = (typeof OPENID_SCOPES)[number];

/**
 * With this scope, tokens, userinfo and introspection contain the names of the user's groups. Unlike OpenID Connect
 * scopes, it can be defined by resource servers and exchanged.
 */
export const GROUPS_SCOPE = 'groups';

/**
 * Scope names in the order of the request, without duplicates. This module does not check whether a name is defined.
 */
export type Scope = readonly string[];

/** Reports whether the name has the syntax of a scope (RFC 6749 §3.3). */
export function isScopeToken(name: string): boolean {
  return SCOPE_TOKEN.test(name);
}

/**
 * Returns the names in a `scope` parameter, in order and without duplicates; empty for an empty parameter. Returns
 * undefined if a name contains a character that RFC 6749 §3.3 does not allow.
 */
export function parseScope(text: string): Scope | undefined {
  const names = text.split(' ').filter((name) => name !== '');
  return names.every(isScopeToken) ? [...new Set(names)] : undefined;
}

/** Returns the `scope` member of a response: names separated by a single space. */
export function formatScope(scope: Scope): string {
  return scope.join(' ');
}

/** Reports whether `outer` contains every name of `inner`. */
export function isWithin(inner: Scope, outer: Scope): boolean {
  return inner.every((name) => outer.includes(name));
}

/** Reports whether both scopes contain the same names, in any order. */
export function isSameScope(left: Scope, right: Scope): boolean {
  return isWithin(left, right) && isWithin(right, left);
}

/** Returns `scope` without the restricted names that are not `allowed`, or the same array if all are allowed. */
export function withoutForbidden(scope: Scope, allowed: readonly RestrictedScope[]): Scope {
  const isAllowed = (name: string): boolean => !isRestricted(name) || allowed.includes(name);
  return scope.every(isAllowed) ? scope : scope.filter(isAllowed);
}

/** Returns `scope` without the names that are not in `knownNames`, or the same array if all are. */
export function withoutUnknown(scope: Scope, knownNames: Pick<ReadonlySet<string>, 'has'>): Scope {
  return scope.every((name) => knownNames.has(name)) ? scope : scope.filter((name) => knownNames.has(name));
}

/**
 * Returns `scope` without the names that are not in `definedNames`, or the same array if all are. Null means that all
 * names are defined.
 */
export function narrowScope(scope: Scope, definedNames: ReadonlySet<string> | null): Scope {
  return definedNames === null ? scope : withoutUnknown(scope, definedNames);
}

/** Reports whether a client can have this scope only if the operator allows it. */
export function isRestricted(name: string): name is RestrictedScope {
  return (RESTRICTED_SCOPES as readonly string[]).includes(name);
}

/** Returns the clients that may request the restricted scope. */
export function allowedClients<Client extends { readonly restrictedScopes: readonly RestrictedScope[] }>(
  scope: RestrictedScope,
  clients: readonly Client[],
): readonly Client[] {
  return clients.filter(({ restrictedScopes }) => restrictedScopes.includes(scope));
}

/** Reports whether the name is that of an OpenID Connect scope. */
export function isOpenIdScope(name: string): name is OpenIdScope {
  return (OPENID_SCOPES as readonly string[]).includes(name);
}

/** Reports whether the scope requires a user's login here, so that a grant without a login cannot have the scope. */
export function needsLogin(name: string): boolean {
  return name === 'openid' || name === 'offline_access';
}
