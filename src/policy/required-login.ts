import { isAtLeast } from '../domain/login.ts';
import { describeValue, PolicyDeclarationError } from './declaration.ts';
import type { AuthenticatedPrincipal } from './policy.ts';

/** Requirements for the age and strength of the user's login (RFC 9470). */
export interface LoginOptions {
  /** The maximum age of the login, in seconds. */
  readonly maxAge?: number | undefined;
  /** The accepted login classes. If one of them is in `LOGIN_CLASSES`, stronger classes are accepted as well. */
  readonly acr?: string | readonly string[] | undefined;
}

export interface LoginRequirement {
  readonly maxAgeSeconds: number | null;
  /** Empty if every class is accepted. */
  readonly acr: readonly string[];
}

export interface LoginShortfall {
  /** `no-user`: the client acts on its own behalf. `not-recorded`: required facts about the login are missing. */
  readonly problem: 'no-user' | 'not-recorded' | 'too-old' | 'too-weak';
  readonly ageSeconds: number | null;
  readonly acr: string | null;
}

/** Printable ASCII without spaces, which separate classes, and without `"` and `\`, which would need escaping. */
const CLASS = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/;
const NAME = 'required-login';

/**
 * Returns the requirement, or undefined if neither option is set.
 * @throws PolicyDeclarationError if an option is invalid
 */
export function parseLoginRequirement({ maxAge, acr }: LoginOptions): LoginRequirement | undefined {
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge > 0))
    throw new PolicyDeclarationError(NAME, 'maxAge must be a whole number of seconds, at least 1');
  const classes: unknown = acr === undefined || Array.isArray(acr) ? (acr ?? []) : [acr];
  const names = Array.from(classes as readonly unknown[], parseClass);
  if (acr !== undefined && names.length === 0)
    throw new PolicyDeclarationError(NAME, 'acr must list at least one class');
  return maxAge === undefined && acr === undefined
    ? undefined
    : Object.freeze({ maxAgeSeconds: maxAge ?? null, acr: Object.freeze([...new Set(names)]) });
}

function parseClass(value: unknown): string {
  if (typeof value === 'string' && CLASS.test(value)) return value;
  throw new PolicyDeclarationError(NAME, `acr has a malformed class: ${describeValue(value)}`);
}

/**
 * Returns how the caller's login falls short of the requirement, or undefined if the login is sufficient.
 * @param now seconds since the epoch
 */
export function loginShortfall(
  { maxAgeSeconds, acr }: LoginRequirement,
  principal: AuthenticatedPrincipal,
  now: number,
): LoginShortfall | undefined {
  const { login, userId } = principal;
  const actualLogin = {
    ageSeconds: login?.authTime === undefined ? null : Math.max(0, Math.floor(now - login.authTime)),
    acr: login?.acr ?? null,
  };
  if (userId === null) return { problem: 'no-user', ...actualLogin };
  const isIncomplete =
    (maxAgeSeconds !== null && actualLogin.ageSeconds === null) || (acr.length > 0 && actualLogin.acr === null);
  if (isIncomplete) return { problem: 'not-recorded', ...actualLogin };
  if (acr.length > 0 && !acr.some((requiredClass) => satisfies(actualLogin.acr ?? '', requiredClass)))
    return { problem: 'too-weak', ...actualLogin };
  return maxAgeSeconds !== null && (actualLogin.ageSeconds ?? Infinity) > maxAgeSeconds
    ? { problem: 'too-old', ...actualLogin }
    : undefined;
}

/** Reports whether the class `acr` is sufficient. A class that is not in `LOGIN_CLASSES` must match exactly. */
function satisfies(acr: string, requiredClass: string): boolean {
  return acr === requiredClass || isAtLeast(acr, requiredClass);
}
