import type { ParameterName } from '../../config/input-limits.ts';
import { oauthError } from './errors.ts';

/**
 * The known parameters of a request, within their limits. Each is present at most once and none is empty (RFC 6749
 * §3.1, §3.2). Only `resource` may be repeated: see `joinRepeated`.
 */
export type Parameters = ReadonlyMap<ParameterName, string>;

/** RFC 8707 §2: one value per resource server. */
export const REPEATABLE_PARAMETER = 'resource';

/** Appends a value of a repeatable parameter. The separator is a space, which URIs cannot contain. */
export function joinRepeated(before: string | undefined, value: string): string {
  const encoded = value.replaceAll(' ', '%20');
  return before === undefined ? encoded : `${before} ${encoded}`;
}

/** The values of the repeatable parameter. */
export function repeatedValues(parameters: Parameters): readonly string[] {
  return parameters.get(REPEATABLE_PARAMETER)?.split(' ') ?? [];
}

/** Names and values in the form in which they were sent: one entry for each value of a repeated parameter. */
export function parameterEntries(parameters: Parameters): [string, string][] {
  return [...parameters].flatMap(([name, value]) =>
    (name === REPEATABLE_PARAMETER ? value.split(' ') : [value]).map((each): [string, string] => [name, each]),
  );
}

const SECRET_PARAMETERS = [
  'client_secret',
  'client_assertion',
  'code',
  'device_code',
  'code_verifier',
  'refresh_token',
  'password',
  'token',
  'access_token',
  'state',
  'username',
  'nonce',
  'id_token_hint',
  'login_hint',
  'logout_hint',
  'request',
  'request_uri',
] as const satisfies readonly ParameterName[];

/** The values of secret parameters, which must not be stored even if they also occur elsewhere in the request. */
export function secretParameters(parameters: Parameters): readonly string[] {
  return SECRET_PARAMETERS.flatMap((name) => parameters.get(name) ?? []);
}

/** @throws OAuthError `invalid_request` if the parameter is missing */
export function requireParameter(parameters: Parameters, name: ParameterName): string {
  const value = parameters.get(name);
  if (value === undefined) throw oauthError({ rule: 'parameter-missing', parameter: name });
  return value;
}
