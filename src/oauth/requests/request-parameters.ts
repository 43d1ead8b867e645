import { message, type Message } from '../../language/message.ts';
import { PARAMETERS, truncate, type ParameterName } from '../../config/input-limits.ts';
import { oauthError } from '../endpoints/errors.ts';
import { joinRepeated, isRepeatable, type Parameters } from '../endpoints/parameters.ts';
import { unverifiedClaims } from '../signing/jws.ts';

/** The claims of a request object. */
export type RequestClaims = Readonly<Record<string, unknown>>;

/**
 * Parameters that are not part of the authorization request itself: those of other requests, those that authenticate
 * the client, those of pages, and those that contain the request or refer to it.
 */
const EXCLUDED_PARAMETERS: readonly ParameterName[] = [
  'grant_type',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'code',
  'code_verifier',
  'refresh_token',
  'token',
  'access_token',
  'username',
  'password',
  'post_logout_redirect_uri',
  'logout_hint',
  'request',
  'request_uri',
  'continuation',
];

/** Returns the parameters of the authorization request itself. */
export function authorizationParameters(parameters: Parameters): Parameters {
  return new Map([...parameters].filter(([name]) => !EXCLUDED_PARAMETERS.includes(name)));
}

/**
 * Returns the parameters in a request object. Each must be a string, except that `max_age` may be a number, `claims` an
 * object, and `resource` and `authorization_details` lists (RFC 9101 §4, OpenID Connect Core §6.1, RFC 9396 §3).
 * @throws OAuthError `invalid_request_object` if a value has a different type, or is too long
 */
export function toParameters(claims: RequestClaims): Parameters {
  const parameters = new Map<ParameterName, string>();
  for (const name of Object.keys(PARAMETERS) as ParameterName[]) {
    const value = claims[name];
    if (value === undefined || EXCLUDED_PARAMETERS.includes(name)) continue;
    const text = formatParameter(name, value);
    if (text !== '') parameters.set(name, text);
  }
  return parameters;
}

function formatParameter(name: ParameterName, value: unknown): string {
  const text = Array.isArray(value) && isRepeatable(name) ? joinList(value) : formatSingleValue(name, value);
  const { max, refusal } = PARAMETERS[name];
  const invalidParameter = (expected: Message) =>
    oauthError({ rule: 'request-object-parameter', parameter: name, expected });
  if (text === undefined) throw invalidParameter(message('refusal-form.string'));
  if (text.length <= max) return text;
  if (refusal === null) return truncate(text, max);
  throw invalidParameter(message('refusal-form.characters', { limit: max }));
}

function joinList(values: readonly unknown[]): string | undefined {
  if (!values.every((value) => typeof value === 'string')) return undefined;
  return values.reduce<string | undefined>(joinRepeated, undefined) ?? '';
}

function formatSingleValue(name: ParameterName, value: unknown): string | undefined {
  if (typeof value === 'string') return isRepeatable(name) ? joinRepeated(undefined, value) : value;
  if (name === 'max_age' && Number.isSafeInteger(value)) return String(value);
  const isJson = name === 'claims' || name === 'authorization_details';
  return isJson && typeof value === 'object' && value !== null ? tryStringify(value) : undefined;
}

/** Returns the value as JSON, or undefined if it is nested too deeply to be serialized. */
function tryStringify(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The parameters that determine where the response is sent, in what form and with which `state`. */
const RESPONSE_PARAMETERS = ['redirect_uri', 'state', 'response_mode'] as const;

/**
 * Adds the response parameters in a request object to a refused request. Otherwise, a client that sends them only in
 * the object could not relate the refusal to its request. The parameters need no verification, because anybody can send
 * them as plain parameters.
 */
export function withResponseParameters(parameters: Parameters, requestObject: string): Parameters {
  const claims = unverifiedClaims(requestObject) ?? {};
  const completedParameters = new Map(parameters);
  for (const name of RESPONSE_PARAMETERS) {
    const value = claims[name];
    if (typeof value === 'string' && value !== '' && value.length <= PARAMETERS[name].max)
      completedParameters.set(name, value);
  }
  return completedParameters;
}
