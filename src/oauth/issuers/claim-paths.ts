import type { RequiredClaim } from '../../domain/issuer-settings.ts';

/** Returns the value of a claim or of the member that a JSON Pointer (RFC 6901) refers to, or undefined if absent. */
export function readClaim(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (!name.startsWith('/')) return readOwnMember(claims, name);
  const path = name
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path.reduce<unknown>(readOwnMember, claims);
}

/** Reports whether the claim has exactly this value. Numbers and booleans are compared in their JSON form. */
export function hasRequiredClaim(claims: Readonly<Record<string, unknown>>, { name, value }: RequiredClaim): boolean {
  const actual = readClaim(claims, name);
  if (typeof actual === 'string') return actual === value;
  return (typeof actual === 'number' || typeof actual === 'boolean') && JSON.stringify(actual) === value;
}

function readOwnMember(value: unknown, name: string): unknown {
  const isContainer = typeof value === 'object' && value !== null;
  return isContainer && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
