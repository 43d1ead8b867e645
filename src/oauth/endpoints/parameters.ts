import type { ParameterName } from '../../config/input-limits.ts';
import { OAuthError } from './errors.ts';

/**
 * The known parameters of a request, within their limits. Each is present at most once and none is empty (RFC 6749
 * §3.1, §3.2). Only `resource` may repeat: see `together`.
 */
export type Parameters = ReadonlyMap<ParameterName, string>;

/** RFC 8707 §2: once for each resource server. */
export const REPEATABLE_PARAMETER = 'resource';

/** What is kept of a parameter that may repeat: its values, a space between them, which no URI has. */
export function joinRepeated(before: string | undefined, value: string): string {
  const whole = value.replaceAll(' ', '%20');
  return before === undefined ? whole : `${before} ${whole}`;
}

/** The values of a parameter that may repeat. */
export function repeatedValues(parameters: Parameters): readonly string[] {
  return parameters.get(REPEATABLE_PARAMETER)?.split(' ') ?? [];
}

/** Names and values as they were sent. */
export function parameterEntries(parameters: Parameters): [string, string][] {
  return [...parameters].flatMap(([name, value]) =>
    (name === REPEATABLE_PARAMETER ? value.split(' ') : [value]).map((each): [string, string] => [name, each]),
  );
}

const SECRET_PARAMETERS = [
  'client_secret',
  'code',
  'code_verifier',
  'refresh_token',
  'password',
  'token',
  'state',
  'username',
] as const satisfies readonly ParameterName[];

/** What must not be kept of a request, wherever else in it it may stand. */
export function secretParameters(parameters: Parameters): readonly string[] {
  return SECRET_PARAMETERS.flatMap((name) => parameters.get(name) ?? []);
}

/** @throws OAuthError `invalid_request` when it is missing */
export function requireParameter(parameters: Parameters, name: ParameterName): string {
  const value = parameters.get(name);
  if (value === undefined)
    throw new OAuthError('invalid_request', `${name} is missing`, { rule: 'parameter-missing', parameter: name });
  return value;
}
