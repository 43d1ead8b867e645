import type { Scope } from '../domain/scope.ts';
import { isScopeToken } from '../domain/scope.ts';

/** A missing or invalid declaration of a policy. Thrown while routes are built, before any request. */
export class PolicyDeclarationError extends Error {
  readonly policy: string;
  readonly problem: string;
  readonly route: string | undefined;

  constructor(policy: string, problem: string, route?: string) {
    super(`${route === undefined ? '' : `${route}: `}policy ${policy}: ${problem}`);
    this.name = 'PolicyDeclarationError';
    this.policy = policy;
    this.problem = problem;
    this.route = route;
  }
}

/**
 * Calls `declare`, and adds the route to a declaration error. For nested calls, the innermost route is used.
 * @throws PolicyDeclarationError if `declare` throws one
 */
export function declareForRoute<T>(route: string, declare: () => T): T {
  try {
    return declare();
  } catch (error) {
    if (!(error instanceof PolicyDeclarationError) || error.route !== undefined) throw error;
    throw new PolicyDeclarationError(error.policy, error.problem, route);
  }
}

/**
 * Returns a copy of a declared list of scope names without duplicates, so that later changes to the list have no
 * effect.
 * @throws PolicyDeclarationError if `value` is not a list of scope names
 */
export function parseScopeList(policy: string, field: string, value: unknown): Scope {
  if (!Array.isArray(value)) throw new PolicyDeclarationError(policy, `${field} must be a list of scope names`);
  return Object.freeze([...new Set(Array.from(value, (name: unknown) => parseScopeName(policy, field, name)))]);
}

/** Like `parseScopeList`, but refuses an empty list. */
export function parseNonEmptyScopeList(policy: string, field: string, value: unknown): Scope {
  const scope = parseScopeList(policy, field, value);
  if (scope.length === 0) throw new PolicyDeclarationError(policy, `${field} must not be empty`);
  return scope;
}

/**
 * Returns `value` as a scope name.
 * @throws PolicyDeclarationError if `value` is not a scope name
 */
export function parseScopeName(policy: string, field: string, value: unknown): string {
  if (typeof value === 'string' && isScopeToken(value)) return value;
  throw new PolicyDeclarationError(policy, `${field} has a malformed scope name: ${describeValue(value)}`);
}

const METHOD = /^[A-Z]+(?:-[A-Z]+)*$/;

/** Parses the entries of a declared object, and returns them by upper-case method name. Refuses an empty object. */
export function parseMethodMap<T>(
  policy: string,
  field: string,
  value: unknown,
  parse: (field: string, entry: unknown) => T,
): ReadonlyMap<string, T> {
  if (!isPlainObject(value)) throw new PolicyDeclarationError(policy, `${field} must map method names to lists`);
  const map = new Map<string, T>();
  for (const [name, entry] of Object.entries(value)) {
    const method = name.toUpperCase();
    if (!METHOD.test(method)) {
      throw new PolicyDeclarationError(policy, `${field} has a malformed method name: ${describeValue(name)}`);
    }
    if (map.has(method)) throw new PolicyDeclarationError(policy, `${field} lists ${method} twice`);
    map.set(method, parse(`${field}.${method}`, entry));
  }
  if (map.size === 0) throw new PolicyDeclarationError(policy, `${field} must not be empty`);
  return map;
}

/** Reports whether `value` is an object without a class, such as an object literal. */
export function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Describes `value` for an error message. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return `a value of type ${value === null ? 'null' : typeof value}`;
}
