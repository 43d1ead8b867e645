import { message, type Message } from '../../language/message.ts';
import { boundsProblem, type JsonBounds } from './json-bounds.ts';

/** A claim that a client requests individually (OpenID Connect Core §5.5.1). */
export interface RequestedClaim {
  readonly name: string;
  readonly isEssential: boolean;
  /** The acceptable values, from `value` or `values`; null if any value is acceptable. */
  readonly values: readonly unknown[] | null;
}

/** The claims that the `claims` parameter requests in the ID token and from userinfo (OpenID Connect Core §5.5). */
export interface RequestedClaims {
  readonly idToken: readonly RequestedClaim[];
  readonly userinfo: readonly RequestedClaim[];
}

export const NO_REQUESTED_CLAIMS: RequestedClaims = { idToken: [], userinfo: [] };

/** Ordinary requests stay far below these limits. */
export const CLAIMS_BOUNDS: JsonBounds = { maxLength: 4_096, maxDepth: 6, maxMembers: 200 };

/**
 * Parses the `claims` parameter. Unknown members and unknown claims are ignored, as §5.5 requires.
 * @param isRequestable whether the server can return a claim of this name
 * @returns the requested claims, or a description of the expected format
 */
export function parseClaimsParameter(
  text: string,
  isRequestable: (name: string) => boolean,
): RequestedClaims | { readonly expected: Message } {
  const problem = boundsProblem(text, CLAIMS_BOUNDS);
  if (problem !== undefined) return { expected: problem };
  const parsed = parseObject(text);
  if (parsed === undefined) return { expected: message('refusal-form.json-object') };
  const idToken = readClaimsMember(parsed, 'id_token', isRequestable);
  const userinfo = readClaimsMember(parsed, 'userinfo', isRequestable);
  return idToken === undefined || userinfo === undefined
    ? { expected: message('refusal-form.claims') }
    : { idToken, userinfo };
}

type JsonObject = Readonly<Record<string, unknown>>;

function parseObject(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the claims that a member requests, or undefined if the member is malformed. */
function readClaimsMember(
  parameter: JsonObject,
  member: 'id_token' | 'userinfo',
  isRequestable: (name: string) => boolean,
): readonly RequestedClaim[] | undefined {
  const claims = Object.hasOwn(parameter, member) ? parameter[member] : null;
  if (claims === null) return [];
  if (!isObject(claims)) return undefined;
  const requestedClaims = Object.entries(claims)
    .filter(([name]) => isRequestable(name))
    .map(([name, claim]) => parseClaim(name, claim));
  return requestedClaims.every((claim) => claim !== undefined) ? requestedClaims : undefined;
}

/** Parses one claim. Returns undefined if it is neither null nor an object with members of the right types. */
function parseClaim(name: string, claim: unknown): RequestedClaim | undefined {
  if (claim === null) return { name, isEssential: false, values: null };
  if (!isObject(claim)) return undefined;
  const { essential = false, value, values } = claim;
  if (typeof essential !== 'boolean' || (values !== undefined && !Array.isArray(values))) return undefined;
  const acceptedValues: readonly unknown[] | null =
    value === undefined ? ((values as readonly unknown[]) ?? null) : [value];
  return { name, isEssential: essential, values: acceptedValues };
}
