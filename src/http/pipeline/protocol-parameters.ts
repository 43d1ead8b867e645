import { isUtf8 } from 'node:buffer';
import { truncate, PARAMETERS, type ParameterLimit, type ParameterName } from '../../config/input-limits.ts';
import { message } from '../../language/message.ts';
import { OAuthError, oauthError } from '../../oauth/endpoints/errors.ts';
import { isRepeatable, joinRepeated, type Parameters } from '../../oauth/endpoints/parameters.ts';
import { knownParameterName } from '../../oauth/refusals/sanitize.ts';
import { decodeTruncated, decodeWithin, splitPairs } from './form-encoding.ts';

/** The result of reading the parameters in a request. */
export interface ParsedParameters {
  readonly parameters: Parameters;
  /**
   * The error for the first value that exceeds its limit and is not to be truncated (see `ParameterLimit`).
   * `parameters` contains no such value. The endpoint decides when to throw the error, because the authorize endpoint
   * has to read the redirect URI first.
   */
  readonly lengthError: OAuthError | undefined;
}

/** Several times as many as any protocol request needs. Empty parameters are cheap to send but costly to read. */
const MAX_PARAMETERS = 100;

/** Unknown parameters are ignored (RFC 6749 §3.1, §3.2), but values of up to this length must be well-formed. */
const MAX_UNKNOWN_LENGTH = 1_024;

const LIMITS: ReadonlyMap<string, ParameterLimit> = new Map(Object.entries(PARAMETERS));

/** A reader for values in the notation of the request: percent-encoded or plain. */
interface ValueReader {
  /** Returns the value, or undefined if it has more than `limit` characters. */
  readonly readWithin: (value: string, limit: number) => string | undefined;
  /** Returns the value, or its first `limit + 1` characters if it is longer. */
  readonly readTruncated: (value: string, limit: number) => string;
}

const ENCODED: ValueReader = { readWithin: decodeWithin, readTruncated: decodeTruncated };
const PLAIN: ValueReader = {
  readWithin: (text, limit) => (text.length > limit ? undefined : text),
  readTruncated: truncate,
};

/**
 * Parses an `application/x-www-form-urlencoded` body by the rules of RFC 6749 §3.1 and §3.2: each name occurs at most
 * once (except `resource` and `audience`), and a parameter without a value is treated as absent. Names are not nested.
 * @throws OAuthError `invalid_request` for too many parameters, a repeated name, malformed percent-encoding, or encoded
 *   bytes that are not UTF-8
 */
export function parseForm(encoded: string): ParsedParameters {
  try {
    return collectPairs(encoded);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new OAuthError(
      'invalid_request',
      'the request has malformed percent-encoding, or the decoded bytes are not UTF-8',
      { rule: 'body-malformed', problem: message('refusal-body.encoding') },
    );
  }
}

/**
 * @throws OAuthError `invalid_request` for too many parameters or a repeated name
 * @throws URIError if the percent-encoding is malformed, or the encoded bytes are not UTF-8
 */
function collectPairs(encoded: string): ParsedParameters {
  const pairs = splitPairs(encoded, MAX_PARAMETERS);
  if (pairs === undefined) throw tooManyParametersError();
  const collection: Collection = { parameters: new Map(), lengthError: undefined };
  const names = new Set<string>();
  for (const { name, value } of pairs) {
    if (name === null) continue;
    if (names.has(name) && !isRepeatable(name)) throw repeatedParameterError(name);
    names.add(name);
    collectParameter(collection, name, value, ENCODED);
  }
  return collection;
}

function repeatedParameterError(name: string): OAuthError {
  const refusal = { rule: 'parameter-repeated', parameter: knownParameterName(name) } as const;
  return new OAuthError('invalid_request', `${printable(name)} is repeated`, refusal);
}

/**
 * Parses a JSON object whose members are parameters. Each member must be a string, except that `resource` and
 * `audience` can also be lists of strings.
 * @throws OAuthError `invalid_request` for any other JSON, malformed JSON, too many parameters, or a repeated name
 */
export function parseJson(text: string): ParsedParameters {
  const collection: Collection = { parameters: new Map(), lengthError: undefined };
  let stringCount = 0;
  for (const [name, member] of Object.entries(parseObject(text))) {
    const values: readonly unknown[] = isRepeatable(name) && Array.isArray(member) ? member : [member];
    stringCount += 1 + values.length;
    if (stringCount > 2 * MAX_PARAMETERS) throw tooManyParametersError();
    for (const value of values) {
      if (typeof value !== 'string') throw notAStringError(name);
      collectParameter(collection, name, value, PLAIN);
    }
  }
  if (countQuotes(text) !== 2 * stringCount) {
    throw new OAuthError('invalid_request', 'a parameter is repeated', { rule: 'parameter-repeated', parameter: null });
  }
  return collection;
}

/**
 * Counts the quotes that delimit strings. Each name and each value has two, so any others reveal a repeated member, of
 * which `JSON.parse` silently keeps only the last occurrence.
 */
function countQuotes(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') count += 1;
  }
  return count;
}

function notAStringError(name: string): OAuthError {
  return new OAuthError('invalid_request', `${printable(name)} must be a string`, {
    rule: 'parameter-not-a-string',
    parameter: knownParameterName(name),
  });
}

function parseObject(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // Malformed JSON is refused below, like JSON that is not an object.
  }
  throw new OAuthError('invalid_request', 'the request body is not a JSON object', {
    rule: 'body-malformed',
    problem: message('refusal-body.not-an-object'),
  });
}

interface Collection {
  readonly parameters: Map<ParameterName, string>;
  lengthError: OAuthError | undefined;
}

/**
 * Adds a parameter to `collection`, or the error if its value is too long. Ignores unknown and empty parameters.
 * @throws URIError if the value has malformed percent-encoding, or its encoded bytes are not UTF-8
 */
function collectParameter(
  collection: Collection,
  name: string,
  value: string,
  { readWithin, readTruncated }: ValueReader,
): void {
  const limit = LIMITS.get(name);
  if (limit === undefined) return void readWithin(value, MAX_UNKNOWN_LENGTH);
  const text = limit.refusal === null ? readTruncated(value, limit.max) : readWithin(value, limit.max);
  if (text === undefined) collection.lengthError ??= tooLongError(name, limit, value.length);
  else if (text !== '') setParameter(collection.parameters, name as ParameterName, text);
}

function setParameter(parameters: Collection['parameters'], name: ParameterName, text: string): void {
  parameters.set(name, isRepeatable(name) ? joinRepeated(parameters.get(name), text) : text);
}

function tooLongError(parameter: string, { max, refusal }: ParameterLimit, length: number): OAuthError {
  if (parameter === 'client_assertion') return oauthError({ rule: 'assertion-too-long', most: max, length });
  const form = message('refusal-form.characters', { limit: max });
  return new OAuthError(refusal ?? 'invalid_request', `${parameter} is longer than ${max} characters`, {
    rule: 'parameter-malformed',
    parameter,
    form,
    length,
  });
}

function tooManyParametersError(): OAuthError {
  return oauthError({ rule: 'too-many-parameters', most: MAX_PARAMETERS });
}

/**
 * Decodes a request body.
 * @throws OAuthError `invalid_request` if the bytes are not UTF-8
 */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    throw new OAuthError('invalid_request', 'the request body is not UTF-8', {
      rule: 'body-malformed',
      problem: message('refusal-body.not-utf-8'),
    });
  }
  return bytes.toString('utf8');
}

/**
 * Returns the first 64 characters of a name that the caller chose. A question mark replaces each character that
 * RFC 6749 §5.2 does not allow in an error description.
 */
function printable(name: string): string {
  return name.slice(0, 64).replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
