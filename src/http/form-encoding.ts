import { isUtf8 } from 'node:buffer';
import { OAuthError } from '../oauth/errors.ts';
import { parameterName } from '../refusals/quotable.ts';
import { REPEATABLE, together, type Parameters } from '../oauth/parameters.ts';

const NEEDS_DECODING = /[%+]/;

/** Several times what any request of the protocol has. Names without values are cheap to send, and dear to read. */
export const MAX_PARAMETERS = 100;

/** Only UTF-8 is read, which these are where it matters; what is declared to be anything else would be misread. */
const READ_AS_UTF8 = ['utf-8', 'utf8', 'us-ascii', 'iso-8859-1'];

/** Whether a body of this `Content-Type` is what it will be taken for. */
export function hasReadableCharset(contentType: string): boolean {
  const [, declared] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType) ?? [];
  return declared === undefined || READ_AS_UTF8.includes(declared.toLowerCase());
}

/**
 * `application/x-www-form-urlencoded` by the protocol's rule: a name at most once (but for `resource`), no nesting, and a
 * parameter without a value is as good as absent (RFC 6749 §3.1, §3.2).
 * @throws OAuthError `invalid_request` for too many, a repeated name or what is not percent-encoded UTF-8
 */
export function parseParameters(encoded: string): Parameters {
  const parameters = new Map<string, string>();
  const seen = new Set<string>();
  const pairs = encoded.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) throw tooManyParameters();
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (seen.has(name) && name !== REPEATABLE) throw new OAuthError('invalid_request', `${printable(name)} is repeated`, { rule: 'parameter-repeated', parameter: parameterName(name) });
    seen.add(name);
    if (value !== '') parameters.set(name, name === REPEATABLE ? together(parameters.get(name), value) : value);
  }
  return parameters;
}

export function tooManyParameters(): OAuthError {
  return new OAuthError('invalid_request', `there are more than ${MAX_PARAMETERS} parameters`, { rule: 'too-many-parameters', most: MAX_PARAMETERS });
}

/** @throws OAuthError `invalid_request` when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new OAuthError('invalid_request', 'the request body is not UTF-8', { rule: 'body-malformed', problem: 'bytes that are not UTF-8' });
  return bytes.toString('utf8');
}

function decode(text: string): string {
  if (!NEEDS_DECODING.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new OAuthError('invalid_request', 'the request has malformed percent-encoding, or what it encodes is not UTF-8', {
      rule: 'body-malformed', problem: 'malformed percent-encoding, or encoded bytes that are not UTF-8',
    });
  }
}

/** A name that the caller chose, fit for an error description (RFC 6749 §5.2 allows a part of ASCII). */
export function printable(name: string): string {
  return name.slice(0, 64).replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
