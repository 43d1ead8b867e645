import { parseScope, type Scope } from '../../domain/scope.ts';
import { IntrospectionUnavailable } from './introspection-unavailable.ts';

/** What a live access token is good for. */
export interface IntrospectedToken {
  readonly clientId: string;
  /** Null where the client acts for itself. */
  readonly userId: string | null;
  readonly scope: Scope;
  /** Seconds since the epoch; `Infinity` where the answer names no end. */
  readonly expiresAt: number;
}

/** What a token has to be for this resource server, beyond being live. */
export interface Expectations {
  /** Has to be in `aud`, where the answer has one; a token for some resource servers alone is none for a nameless one. */
  readonly resource: string | undefined;
  /** Has to be `iss`. */
  readonly issuer: string | undefined;
}

/**
 * Reads an RFC 7662 §2.2 answer. Undefined: the token is dead, or is none for here. A token without a `token_type` is
 * none for here either: the endpoint tells a client of its own refresh tokens, too.
 * @param now milliseconds since the epoch
 * @throws IntrospectionUnavailable what was answered says nothing about the token
 */
export function readAnswer(
  text: string,
  { resource, issuer }: Expectations,
  now: number,
): IntrospectedToken | undefined {
  const answer = parseObject(text);
  if (answer['active'] === false) return undefined;
  if (answer['active'] !== true) throw unusable('active', 'true or false');
  const tokenType = optional(answer, 'token_type', isText);
  const audience = optional(answer, 'aud', isAudience);
  const expiresAt = optional(answer, 'exp', isInstant) ?? Infinity;
  const startsAt = optional(answer, 'nbf', isInstant) ?? -Infinity;
  if (tokenType?.toLowerCase() !== 'bearer') return undefined;
  if (issuer !== undefined && optional(answer, 'iss', isText) !== issuer) return undefined;
  if (audience !== undefined && (resource === undefined || ![audience].flat().includes(resource))) return undefined;
  if (now >= expiresAt * 1000 || now < startsAt * 1000) return undefined;
  return { ...holder(answer), scope: scopeOf(answer), expiresAt };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    // said below
  }
  throw new IntrospectionUnavailable('the introspection endpoint answered what is no JSON object');
}

/** A token of a client itself has that client as its subject. */
function holder(answer: Readonly<Record<string, unknown>>): Pick<IntrospectedToken, 'clientId' | 'userId'> {
  const clientId = optional(answer, 'client_id', isText);
  const subject = optional(answer, 'sub', isText) ?? clientId;
  if (clientId === undefined || subject === undefined) throw unusable('client_id', 'a string');
  return { clientId, userId: subject === clientId ? null : subject };
}

/** A token without a scope must not pass as one with an empty list. */
function scopeOf(answer: Readonly<Record<string, unknown>>): Scope {
  const scope = parseScope(optional(answer, 'scope', isScopeText) ?? '"');
  if (scope === undefined) throw unusable('scope', 'scope names separated by spaces');
  return scope;
}

/** @throws IntrospectionUnavailable it is there, and of another type than the RFC gives it */
function optional<T>(
  answer: Readonly<Record<string, unknown>>,
  name: string,
  isIt: (value: unknown) => value is T,
): T | undefined {
  const value = Object.hasOwn(answer, name) ? answer[name] : undefined;
  if (value === undefined || isIt(value)) return value;
  throw unusable(name, 'of another type');
}

function unusable(member: string, expected: string): IntrospectionUnavailable {
  return new IntrospectionUnavailable(`the introspection endpoint's answer is unusable: ${member} must be ${expected}`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isScopeText(value: unknown): value is string {
  return typeof value === 'string';
}

function isAudience(value: unknown): value is string | readonly string[] {
  return isText(value) || (Array.isArray(value) && value.every(isText));
}

function isInstant(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
