import type { Scope } from '../domain/scope.ts';
import {
  parseMethodMap,
  parseNonEmptyScopeList,
  PolicyDeclarationError,
  parseScopeList,
  parseScopeName,
} from './declaration.ts';
import type { Policy } from './policy.ts';
import { policyFromRequirements } from './policy-from-requirements.ts';
import type { Requirement } from './requirements.ts';
import { SESSION, tokenRequirement } from './requirements.ts';

/** The settings that `readWrite` uses. */
export interface ReadWriteScopes {
  readonly readScope: string;
  readonly writeScope: string;
}

/** Scope names by HTTP method. Method names are case-insensitive. */
export type ScopesByMethod = Readonly<Record<string, readonly string[]>>;
/** For each HTTP method, lists of scope names. A token needs all scopes of one list. */
export type AlternativesByMethod = Readonly<Record<string, readonly (readonly string[])[]>>;

/**
 * Requires a token with all of `requiredScopes`. An empty list accepts any valid token.
 * @throws PolicyDeclarationError if the list is malformed
 */
export function allScopes(requiredScopes: readonly string[]): Policy {
  const requirements = [tokenRequirement(parseScopeList('all-scopes', 'required_scopes', requiredScopes))];
  return policyFromRequirements(() => requirements);
}

/**
 * Requires a token with `requiredScopes`, and with the read scope for GET, HEAD and OPTIONS or the write scope for
 * other methods. A denial lists them in this order. The write scope does not imply the read scope.
 * @throws PolicyDeclarationError if a scope or the list is malformed
 */
export function readWrite(settings: ReadWriteScopes, requiredScopes: readonly string[] = []): Policy {
  const name = 'read-write';
  const { readScope, writeScope }: Partial<ReadWriteScopes> = settings ?? {};
  const requiredNames = parseScopeList(name, 'required_scopes', requiredScopes);
  const readRequirements = [tokenRequirement([...requiredNames, parseScopeName(name, 'READ_SCOPE', readScope)])];
  const writeRequirements = [tokenRequirement([...requiredNames, parseScopeName(name, 'WRITE_SCOPE', writeScope)])];
  return policyFromRequirements((method) => (isSafe(method) ? readRequirements : writeRequirements));
}

/**
 * Requires a token with `<resource>:read` for GET, HEAD and OPTIONS, or `<resource>:write` for other methods, for each
 * of `resources`. A plain `read` or `write` scope is not enough.
 * @throws PolicyDeclarationError if the list is malformed or empty
 */
export function resourceScope(resources: readonly string[]): Policy {
  const names = parseNonEmptyScopeList('resource-scope', 'required_scopes', resources);
  const readRequirements = [tokenRequirement(names.map((name) => `${name}:read`))];
  const writeRequirements = [tokenRequirement(names.map((name) => `${name}:write`))];
  return policyFromRequirements((method) => (isSafe(method) ? readRequirements : writeRequirements));
}

/**
 * Requires a web session, or a token with all of `requiredScopes`. If they are listed by method, a token is denied for
 * other methods, except that HEAD uses the list of GET.
 * @throws PolicyDeclarationError if the lists are malformed
 */
export function authenticatedOrScope(requiredScopes: readonly string[] | ScopesByMethod): Policy {
  const [name, field] = ['authenticated-or-scope', 'required_scopes'];
  if (Array.isArray(requiredScopes)) {
    const requirements = [tokenRequirement(parseScopeList(name, field, requiredScopes)), SESSION];
    return policyFromRequirements(() => requirements);
  }
  const byMethod = parseMethodMap(name, field, requiredScopes, (entryName, value) => [
    tokenRequirement(parseScopeList(name, entryName, value)),
    SESSION,
  ]);
  return policyFromRequirements((method) => entryFor(byMethod, method) ?? [SESSION]);
}

/**
 * Requires a token with all scopes of at least one list for the method. Methods that are not listed are denied, except
 * that HEAD uses the lists of GET. To accept any token, use `allScopes([])`.
 * @throws PolicyDeclarationError if a list is malformed or empty
 */
export function alternativeScopes(alternatives: AlternativesByMethod): Policy {
  const byMethod = parseMethodMap('alternative-scopes', 'required_alternate_scopes', alternatives, parseAlternatives);
  return policyFromRequirements((method) => entryFor(byMethod, method) ?? []);
}

function parseAlternatives(field: string, value: unknown): readonly Requirement[] {
  const name = 'alternative-scopes';
  if (!Array.isArray(value)) throw new PolicyDeclarationError(name, `${field} must be a list of lists of scope names`);
  if (value.length === 0) throw new PolicyDeclarationError(name, `${field} must not be empty`);
  return Array.from<unknown, Scope>(value, (scopes) => parseNonEmptyScopeList(name, field, scopes)).map(
    tokenRequirement,
  );
}

function entryFor<T>(byMethod: ReadonlyMap<string, T>, method: string): T | undefined {
  return byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined);
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
