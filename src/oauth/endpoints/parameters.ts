import type { ParameterName } from '../../config/input-limits.ts';
import { oauthError } from './errors.ts';

/**
 * The known parameters of a request, within their limits. No parameter is empty, and only parameters that satisfy
 * `isRepeatable` can occur more than once (RFC 6749 §3.1, §3.2). `joinRepeated` joins their values.
 */
export type Parameters = ReadonlyMap<ParameterName, string>;

/** A parameter with one value for each resource server (RFC 8707 §2, RFC 8693 §2.1). */
type RepeatableParameter = 'resource' | 'audience';

/** Reports whether a request may contain the parameter more than once. */
export function isRepeatable(name: string): name is RepeatableParameter {
  return name === 'resource' || name === 'audience';
}

/** Appends a value of a repeatable parameter to `joined`. The separator is a space, which URIs cannot contain. */
export function joinRepeated(joined: string | undefined, value: string): string {
  const encoded = value.replaceAll(' ', '%20');
  return joined === undefined ? encoded : `${joined} ${encoded}`;
}

/** Returns the values of a repeatable parameter. */
export function repeatedValues(parameters: Parameters, name: RepeatableParameter): readonly string[] {
  return parameters.get(name)?.split(' ') ?? [];
}

/** Returns the parameters' names and values, with one entry for each value of a repeated parameter. */
export function parameterEntries(parameters: Parameters): [string, string][] {
  return [...parameters].flatMap(([name, value]) =>
    (isRepeatable(name) ? value.split(' ') : [value]).map((item): [string, string] => [name, item]),
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
  'subject_token',
  'actor_token',
  'state',
  'username',
  'nonce',
  'id_token_hint',
  'login_hint',
  'logout_hint',
  'request',
  'request_uri',
] as const satisfies readonly ParameterName[];

/** Returns the values of secret parameters. They must not be stored, even where they occur elsewhere in the request. */
export function secretParameters(parameters: Parameters): readonly string[] {
  return SECRET_PARAMETERS.flatMap((name) => parameters.get(name) ?? []);
}

/**
 * Returns the parameter's value.
 * @throws OAuthError `invalid_request` if the parameter is missing
 */
export function requireParameter(parameters: Parameters, name: ParameterName): string {
  const value = parameters.get(name);
  if (value === undefined) throw oauthError({ rule: 'parameter-missing', parameter: name });
  return value;
}
