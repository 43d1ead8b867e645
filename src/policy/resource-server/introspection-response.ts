import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import { CONFIRMATION_METHODS, type Confirmation } from '../../domain/confirmation.ts';
import { parseScope, type Scope } from '../../domain/scope.ts';
import type { PrincipalLogin } from '../policy.ts';
import { IntrospectionUnavailable } from './introspection-unavailable.ts';

/** An active access token, as the introspection response describes it. */
export interface IntrospectedToken {
  readonly clientId: string;
  /** Null if the client acts on its own behalf. */
  readonly userId: string | null;
  readonly scope: Scope;
  /** Seconds since the epoch; `Infinity` if the response has no `exp`. */
  readonly expiresAt: number;
  /** The user's login (RFC 9470 §6.2); missing if the response does not describe it. */
  readonly login?: PrincipalLogin;
  /** The token's authorization details (RFC 9396 §9.2); missing if the response has none. */
  readonly details?: readonly AuthorizationDetail[];
  /** The key or certificate that the token is bound to; missing for a bearer token. */
  readonly confirmation?: Confirmation;
}

/** This resource server's requirements for active tokens. */
export interface Expectations {
  /** Must be in `aud` if the response has that member. If undefined, tokens with `aud` are refused. */
  readonly resource: string | undefined;
  /** Whether a token without `aud`, which is meant for every resource server, is refused. */
  readonly requireAudience: boolean;
  /** Must equal `iss`. If undefined, every issuer is accepted. */
  readonly issuer: string | undefined;
}

/**
 * Parses an introspection response (RFC 7662 §2.2). Returns undefined if the token is inactive or not meant for this
 * resource server. A token without `token_type` is treated as inactive, because it could be a refresh token.
 * @param now milliseconds since the epoch
 * @throws IntrospectionUnavailable if the response is invalid
 */
export function parseIntrospectionResponse(
  text: string,
  { resource, requireAudience, issuer }: Expectations,
  now: number,
): IntrospectedToken | undefined {
  const response = parseObject(text);
  if (response['active'] === false) return undefined;
  if (response['active'] !== true) throw invalidMemberError('active', 'true or false');
  const tokenType = optionalMember(response, 'token_type', isNonEmptyString);
  const audience = optionalMember(response, 'aud', isAudience);
  const expiresAt = optionalMember(response, 'exp', isInstant) ?? Infinity;
  const startsAt = optionalMember(response, 'nbf', isInstant) ?? -Infinity;
  if (!['bearer', 'dpop'].includes(tokenType?.toLowerCase() ?? '')) return undefined;
  const binding = readBinding(response);
  if (binding === 'unsupported') return undefined;
  if (tokenType?.toLowerCase() === 'dpop' && binding.confirmation?.method !== 'jkt') return undefined;
  if (issuer !== undefined && optionalMember(response, 'iss', isNonEmptyString) !== issuer) return undefined;
  if (!isMeantFor(resource, audience, requireAudience)) return undefined;
  if (now >= expiresAt * 1000 || now < startsAt * 1000) return undefined;
  return {
    ...readHolder(response),
    scope: readScope(response),
    expiresAt,
    ...readLogin(response),
    ...readDetails(response),
    ...binding,
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // reported below
  }
  throw new IntrospectionUnavailable('the response of the introspection endpoint is not a JSON object');
}

function isMeantFor(
  resource: string | undefined,
  audience: string | readonly string[] | undefined,
  requireAudience: boolean,
): boolean {
  if (audience === undefined) return !requireAudience;
  return resource !== undefined && [audience].flat().includes(resource);
}

/** Reads a token's client and user. If the client acts on its own behalf, it is also the subject. */
function readHolder(response: Readonly<Record<string, unknown>>): Pick<IntrospectedToken, 'clientId' | 'userId'> {
  const clientId = optionalMember(response, 'client_id', isNonEmptyString);
  const subject = optionalMember(response, 'sub', isNonEmptyString) ?? clientId;
  if (clientId === undefined || subject === undefined) throw invalidMemberError('client_id', 'a string');
  return { clientId, userId: subject === clientId ? null : subject };
}

/** Reads a token's binding. A token with an unsupported binding must not be accepted (RFC 7800 §3.1). */
function readBinding(
  response: Readonly<Record<string, unknown>>,
): Pick<IntrospectedToken, 'confirmation'> | 'unsupported' {
  const cnf = optionalMember(response, 'cnf', isRecord);
  if (cnf === undefined) return {};
  const [[name, thumbprint] = [], ...otherMembers] = Object.entries(cnf);
  const method = CONFIRMATION_METHODS.find((candidate) => candidate === name);
  if (method === undefined || otherMembers.length > 0 || !isNonEmptyString(thumbprint)) return 'unsupported';
  return { confirmation: { method, thumbprint } };
}

function readLogin(response: Readonly<Record<string, unknown>>): Pick<IntrospectedToken, 'login'> {
  const authTime = optionalMember(response, 'auth_time', isInstant);
  const acr = optionalMember(response, 'acr', isNonEmptyString);
  if (authTime === undefined && acr === undefined) return {};
  return { login: { ...(authTime === undefined ? {} : { authTime }), ...(acr === undefined ? {} : { acr }) } };
}

function readDetails(response: Readonly<Record<string, unknown>>): Pick<IntrospectedToken, 'details'> {
  const details = optionalMember(response, 'authorization_details', isDetailList);
  return details === undefined ? {} : { details };
}

function isDetailList(value: unknown): value is readonly AuthorizationDetail[] {
  return Array.isArray(value) && value.every((detail) => isRecord(detail) && isNonEmptyString(detail['type']));
}

/** Reads the scope, which is required: a token without a scope must not be treated like one with an empty scope. */
function readScope(response: Readonly<Record<string, unknown>>): Scope {
  const text = optionalMember(response, 'scope', isString);
  const scope = text === undefined ? undefined : parseScope(text);
  if (scope === undefined) throw invalidMemberError('scope', 'scope names separated by spaces');
  return scope;
}

/**
 * Returns the member, or undefined if it is absent.
 * @throws IntrospectionUnavailable if the member has a type that its RFC does not allow
 */
function optionalMember<T>(
  response: Readonly<Record<string, unknown>>,
  name: string,
  isValid: (value: unknown) => value is T,
): T | undefined {
  const value = Object.hasOwn(response, name) ? response[name] : undefined;
  if (value === undefined || isValid(value)) return value;
  throw invalidMemberError(name, 'of the type that its RFC requires');
}

function invalidMemberError(member: string, expected: string): IntrospectionUnavailable {
  return new IntrospectionUnavailable(`the introspection response is invalid: ${member} must be ${expected}`);
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isAudience(value: unknown): value is string | readonly string[] {
  return isNonEmptyString(value) || (Array.isArray(value) && value.every(isNonEmptyString));
}

function isInstant(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
