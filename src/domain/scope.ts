import { RESTRICTED_SCOPES, type RestrictedScope } from './values.ts';

/** RFC 6749 §3.3: a scope token is printable ASCII but the space, the quote and the backslash. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Names in the order of the request, each once. Whether a name is known is not asked here. */
export type Scope = readonly string[];

export function isScopeToken(name: string): boolean {
  return SCOPE_TOKEN.test(name);
}

/**
 * The names in a `scope` parameter, in order and without repeats; empty for an empty one.
 * Undefined when a name has characters that RFC 6749 §3.3 does not allow.
 */
export function parseScope(text: string): Scope | undefined {
  if (text === '') return [];
  const names = text.split(' ').filter((name) => name !== '');
  return names.every(isScopeToken) ? [...new Set(names)] : undefined;
}

/** The `scope` member of a response: names separated by a single space. */
export function formatScope(scope: Scope): string {
  return scope.join(' ');
}

/** Whether every name of `inner` is one of `outer`. */
export function isWithin(inner: Scope, outer: Scope): boolean {
  return inner.every((name) => outer.includes(name));
}

/** Whether both have the same names, in whatever order. */
export function isSameScope(one: Scope, other: Scope): boolean {
  return isWithin(one, other) && isWithin(other, one);
}

/** `scope` without those restricted names that the client is not, or no longer, allowed; itself when there are none. */
export function withoutForbidden(scope: Scope, allowed: readonly RestrictedScope[]): Scope {
  if (!scope.some(isRestricted)) return scope;
  const left = scope.filter((name) => !isRestricted(name) || allowed.includes(name));
  return left.length === scope.length ? scope : left;
}

/** `scope` without the names that are not `known`; itself when there are none. */
export function withoutUnknown(scope: Scope, known: ReadonlySet<string>): Scope {
  return scope.every((name) => known.has(name)) ? scope : scope.filter((name) => known.has(name));
}

/** Whether only clients that the operator allowed it can hold this scope. */
export function isRestricted(name: string): name is RestrictedScope {
  return (RESTRICTED_SCOPES as readonly string[]).includes(name);
}
