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

/** The two settings behind `readWrite`. */
export interface ReadWriteScopes {
  readonly readScope: string;
  readonly writeScope: string;
}

/** Scope names by HTTP method; the names of methods are read in any case. */
export type ScopesByMethod = Readonly<Record<string, readonly string[]>>;
/** For each HTTP method the lists of scope names of which one has to be held in full. */
export type AlternativesByMethod = Readonly<Record<string, readonly (readonly string[])[]>>;

/**
 * A token with every one of `requiredScopes`; with none listed, any valid token.
 * @throws PolicyDeclarationError
 */
export function allScopes(requiredScopes: readonly string[]): Policy {
  const ways = [tokenRequirement(parseScopeList('all-scopes', 'required_scopes', requiredScopes))];
  return policyFromRequirements(() => ways);
}

/**
 * A token with `requiredScopes`, and with the read scope for GET, HEAD and OPTIONS or the write scope for any other
 * method. A denial lists them in this order. Writing does not imply reading.
 * @throws PolicyDeclarationError
 */
export function readWrite(settings: ReadWriteScopes, requiredScopes: readonly string[] = []): Policy {
  const name = 'read-write';
  const { readScope, writeScope }: Partial<ReadWriteScopes> = settings ?? {};
  const required = parseScopeList(name, 'required_scopes', requiredScopes);
  const read = [tokenRequirement([...required, parseScopeName(name, 'READ_SCOPE', readScope)])];
  const write = [tokenRequirement([...required, parseScopeName(name, 'WRITE_SCOPE', writeScope)])];
  return policyFromRequirements((method) => (isSafe(method) ? read : write));
}

/**
 * A token with `<resource>:read` for GET, HEAD and OPTIONS, with `<resource>:write` otherwise, of each of `resources`.
 * A plain `read` or `write` does not help.
 * @throws PolicyDeclarationError
 */
export function resourceScope(resources: readonly string[]): Policy {
  const names = parseNonEmptyScopeList('resource-scope', 'required_scopes', resources);
  const read = [tokenRequirement(names.map((name) => `${name}:read`))];
  const write = [tokenRequirement(names.map((name) => `${name}:write`))];
  return policyFromRequirements((method) => (isSafe(method) ? read : write));
}

/**
 * A web session, or a token with every one of `requiredScopes`. Given per method, a token is denied a method that is
 * not listed, except that HEAD falls under GET.
 * @throws PolicyDeclarationError
 */
export function authenticatedOrScope(requiredScopes: readonly string[] | ScopesByMethod): Policy {
  const [name, what] = ['authenticated-or-scope', 'required_scopes'];
  if (Array.isArray(requiredScopes)) {
    const ways = [tokenRequirement(parseScopeList(name, what, requiredScopes)), SESSION];
    return policyFromRequirements(() => ways);
  }
  const byMethod = parseMethodMap(name, what, requiredScopes, (at, value) => [
    tokenRequirement(parseScopeList(name, at, value)),
    SESSION,
  ]);
  return policyFromRequirements((method) => entryFor(byMethod, method) ?? [SESSION]);
}

/**
 * A token with every scope of at least one list that `alternatives` has for the method. A method that is not listed is
 * denied, except that HEAD falls under GET. An empty inner list is refused: "any token" is said by `allScopes([])`.
 * @throws PolicyDeclarationError
 */
export function alternativeScopes(alternatives: AlternativesByMethod): Policy {
  const byMethod = parseMethodMap('alternative-scopes', 'required_alternate_scopes', alternatives, parseAlternatives);
  return policyFromRequirements((method) => entryFor(byMethod, method) ?? []);
}

function parseAlternatives(what: string, value: unknown): readonly Requirement[] {
  const name = 'alternative-scopes';
  if (!Array.isArray(value)) throw new PolicyDeclarationError(name, `${what} must be a list of lists of scope names`);
  if (value.length === 0) throw new PolicyDeclarationError(name, `${what} must not be empty`);
  return Array.from<unknown, Scope>(value, (inner) => parseNonEmptyScopeList(name, what, inner)).map(tokenRequirement);
}

function entryFor<T>(byMethod: ReadonlyMap<string, T>, method: string): T | undefined {
  return byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined);
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
