import fc from 'fast-check';
import { FORM_FIELDS, PARAMETERS, QUERY_FIELDS } from '../../src/config/input-limits.ts';

/** Generates every part of a request but its framing: names, values, bodies and headers, most of them invalid. */

/** A valid request. */
export interface ValidRequest {
  readonly path: string;
  readonly headers: readonly string[];
  /** The form of a POST; empty for a GET. */
  readonly form: string;
}

/** The knowledge of a sender. A stranger knows no secrets. */
export interface Sender {
  readonly clientId: string;
  /** Encoded as in a form. */
  readonly values: readonly string[];
  /** Requests that are valid at first. */
  readonly validRequests: readonly ValidRequest[];
  /** Complete header lines, each of which authenticates the sender. */
  readonly headers: readonly string[];
}

const NAMES = [
  ...new Set([PARAMETERS, FORM_FIELDS, QUERY_FIELDS].flatMap((table) => Object.keys(table))),
  'token_type_hint',
  'deny',
  '__proto__',
  'constructor',
  'a[b][c]',
  'a[]',
  '',
  'toString',
  'hasOwnProperty',
  'grant%5Ftype',
  '%00',
  '%ED%A0%80',
  '%',
  'a%00b',
];
const VALUES = [
  '',
  '0',
  '-1',
  '-0',
  '1e9',
  '1e309',
  '-9007199254740993',
  'NaN',
  'Infinity',
  '0x10',
  '1.5',
  '%D9%A3',
  '9'.repeat(40),
  `-${'9'.repeat(400)}`,
  '2147483648',
  'true',
  'null',
  'authorization_code',
  'password',
  'client_credentials',
  'refresh_token',
  'code',
  'token',
  'none',
  'S256',
  'plain',
  'read+write',
  'read%20%20read',
  'audit',
  '%22%5C',
  'auto',
  'https%3A%2F%2Fapp.example%2Fcallback',
  'https%3A%2F%2F%5B%3A%3A1',
  'javascript:alert(1)',
  '//evil.example',
  '/%5cevil.example',
  'confidential',
  'public',
  'authorization-code',
  '%00',
  'a%00b',
  '%',
  '%Z',
  '%ZZ',
  '%u0041',
  '%C0%AF',
  '%ff',
  '%FE%FF',
  '%F0%9F%98%80',
  '%ED%A0%80',
  '%ED%B0%80%ED%A0%80',
  '%F4%90%80%80',
  '%EF%BF%BD',
  '%E2%80%AE',
  '+',
  '++',
  '<script>',
  '%0d%0aX:y',
  '..%2f..%2f',
  '${7*7}',
  '<%25=7*7%25>',
  'x'.repeat(5_000),
  '%F0%9F%92%A9'.repeat(300),
  `glr_${'A'.repeat(71)}`,
  `gla_${'A'.repeat(49)}`,
  `glc_${'A'.repeat(71)}`,
];
/** Strings that are expensive to normalize, match, decode, parse or sort: long ones for bodies, short ones for URLs. */
const EXPENSIVE_VALUES = [50_000, 5_000].flatMap((length) => [
  ...['\u0301', '\uFDFA', '\u4E00'].map((character) => `a${encodeURIComponent(character).repeat(length / 9)}`),
  `a${Buffer.from('\u0301'.repeat(length / 4) + '\u0323'.repeat(length / 4)).toString('latin1')}`,
  ...['a@', '+', '%20', '[%22', '%7B%22a%22:', 'a/../', ',;', 'a.', '%25', '0', '-', 'https://a%20'].map((part) =>
    part.repeat(length / part.length),
  ),
]);
const TYPES = [
  'application/x-www-form-urlencoded; charset=utf-8',
  'application/x-www-form-urlencoded; charset=utf-7',
  'application/x-www-form-urlencoded; charset=utf-16',
  'APPLICATION/X-WWW-FORM-URLENCODED;;',
  'application/json',
  'application/json; charset=utf-16',
  'application/problem+json',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'text/plain',
  'application/xml',
  'x',
  '/',
  '',
  '*/*',
  'application/x-www-form-urlencoded, application/json',
  'é/ü',
  `${'a'.repeat(2_000)}/b`,
];
/** The media type of forms. */
export const FORM = 'application/x-www-form-urlencoded';

/** Generates bytes as a string in which each character is one byte. */
const anyBytes = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 0, max: 255 }), { maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'));
/** Generates strings, most of which the HTTP parser accepts in a header line. */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(anyBytes(maxLength), fc.integer({ min: 0, max: 19 }))
    .map(([text, choice]) => text.replaceAll(choice === 0 ? /[\r\n]/g : /[^\x20-\x7e\x80-\xff]/g, '~'));
export const anyTarget = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(anyText(maxLength), fc.integer({ min: 0, max: 9 }))
    .map(([text, choice]) => text.replaceAll(choice === 0 ? / /g : /[^\x21-\x7e]/g, '%'));

export const aType: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(FORM) },
  { weight: 3, arbitrary: fc.constantFrom(...TYPES) },
);

const isWellFormed = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
};
const WELL_FORMED_NAMES = NAMES.filter(isWellFormed);
const WELL_FORMED_VALUES = VALUES.filter(isWellFormed);

/**
 * Generates lists (`name=value&…`) with known and unknown names, some repeated. Some lists are malformed, and some
 * begin with a valid form.
 */
export function someParameters({ clientId, values, validRequests: requests }: Sender): fc.Arbitrary<string> {
  const knownValues = [clientId, 'ada', ...values];
  const pairs = (names: readonly string[], texts: readonly string[], maxLength: number): fc.Arbitrary<string> => {
    const value = fc.oneof(
      { weight: 24, arbitrary: fc.constantFrom(...texts, ...knownValues, ...knownValues) },
      { weight: 3, arbitrary: anyTarget(20) },
      { weight: 1, arbitrary: fc.constantFrom(...EXPENSIVE_VALUES) },
    );
    return fc
      .array(fc.tuple(fc.constantFrom(...names), value), { maxLength })
      .map((entries) => entries.map(([name, text]) => `${name}=${text}`).join('&'));
  };
  const wellFormed = pairs(WELL_FORMED_NAMES, WELL_FORMED_VALUES, 5);
  const form = fc.constantFrom(...requests.map((request) => request.form));
  return fc.oneof(
    { weight: 2, arbitrary: pairs(NAMES, VALUES, 8) },
    { weight: 2, arbitrary: wellFormed },
    { weight: 2, arbitrary: form },
    { weight: 1, arbitrary: fc.tuple(form, wellFormed).map((parts) => parts.join('&')) },
  );
}

/** Generates copies of the form in which one value is replaced. */
export function replaceOneValue(form: string): fc.Arbitrary<string> {
  const pairs = form.split('&');
  return fc
    .tuple(fc.nat(pairs.length - 1), fc.constantFrom(...VALUES, ...EXPENSIVE_VALUES))
    .map(([index, value]) => pairs.with(index, `${pairs[index]?.split('=')[0]}=${value}`).join('&'));
}

export function aBody(sender: Sender): fc.Arbitrary<string> {
  const nestedNames = fc.integer({ min: 1, max: 200 }).map((depth) => `a${'[b]'.repeat(depth)}=1`);
  const deep = fc
    .tuple(fc.integer({ min: 1, max: 15_000 }), fc.constantFrom('[', '{"a":', '{"grant_type":['))
    .map(([depth, opening]) => opening.repeat(depth).slice(0, 60_000));
  const json = fc.oneof(
    fc.json().map((text) => Buffer.from(text).toString('latin1')),
    deep,
    fc.constantFrom(
      '{"__proto__":{"a":1}}',
      '{"grant_type":["password"]}',
      '{"a":1}',
      '{"grant_type":"password","grant_type":"code"}',
      '{"scope":"\\ud800"}',
      '{"scope":"\\u0000"}',
      '{"a":1e999}',
      '\xef\xbb\xbf{}',
      '{"a"',
    ),
  );
  const multipart = fc
    .constantFrom('username', '', '__proto__')
    .map((name) => `--x\r\nContent-Disposition: form-data; name="${name}"; filename="../a"\r\n\r\n1\r\n--x--\r\n`);
  const manyPairs = fc
    .tuple(fc.constantFrom('a=1&', 'a&', '&'), fc.integer({ min: 1, max: 3_000 }))
    .map(([pair, count]) => pair.repeat(count));
  const largeValue = fc
    .constantFrom(65_536, 65_537, 200_000, 1_500_000)
    .map((length) => `username=${'x'.repeat(length)}`);
  return fc.oneof(
    { weight: 24, arbitrary: someParameters(sender) },
    { weight: 4, arbitrary: anyBytes(60) },
    { weight: 4, arbitrary: json },
    { weight: 2, arbitrary: nestedNames },
    { weight: 1, arbitrary: multipart },
    { weight: 2, arbitrary: manyPairs },
    { weight: 1, arbitrary: largeValue },
  );
}

/** Generates a request's headers: usually one that authenticates, and usually nothing else. */
export function someHeaders(sender: Sender): fc.Arbitrary<readonly string[]> {
  const identity = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...sender.headers).map((line) => [line]) },
    { weight: 1, arbitrary: fc.constant([]) },
  );
  const otherHeaders = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(aHeader(sender), { minLength: 1, maxLength: 3 }) },
  );
  return fc.tuple(identity, otherHeaders).map((lines) => lines.flat());
}

/** Generates one header line. Its value does not always fit its name. */
export function aHeader({ clientId, headers: authenticatingHeaders }: Sender): fc.Arbitrary<string> {
  const basic = (text: string): string => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`;
  const authorization = fc.oneof(
    fc.constantFrom(
      '',
      'Basic',
      'Bearer',
      'Basic Og==',
      'Bearer x',
      'Basic !',
      basic(`${clientId}:wrong`),
      basic(`${clientId}:%ZZ`),
      basic('%00:%ED%A0%80'),
      'Digest a="b"',
      `Bearer gla_${'A'.repeat(49)}`,
      `Bearer ${'A'.repeat(9_000)}`,
    ),
    anyText(30),
    anyText(30).map(basic),
  );
  return fc.oneof(
    { weight: 4, arbitrary: authorization.map((text) => `Authorization: ${text}`) },
    { weight: 2, arbitrary: anyText(40).map((text) => `Cookie: ${text}`) },
    { weight: 2, arbitrary: anyText(20).map((text) => `Cookie: grantlog=${text}; grantlog.sig=${text}`) },
    { weight: 1, arbitrary: anyText(20).map((text) => `${text}: ${text}`) },
    { weight: 2, arbitrary: anyText(20).map((text) => `X-Any: ${text}`) },
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'Accept: text/html',
        'Accept: ;;;',
        'Accept: text/event-stream',
        'Accept-Language: *;q=9',
        'Accept-Encoding: ,,',
        'Content-Encoding: gzip',
        'Content-Encoding: x',
        'Content-Type: application/json',
        'Origin: null',
        'Origin: https://evil.example',
        'Range: bytes=5-1',
        'Last-Event-ID: -1',
        'Last-Event-ID: 999999999999999',
        'X-Forwarded-Host: evil.example',
        'X-Forwarded-For: 1.1.1.1',
        'X-CSRF-Token: x',
        'Expect: 100-continue',
        'Expect: nothing',
        'If-None-Match: *',
        'If-Modified-Since: never',
        'Sec-Fetch-Site: cross-site',
        'X-HTTP-Method-Override: DELETE',
        'Host: evil.example',
        'Upgrade: websocket',
        'DPoP: x',
        `X-Large: ${'x'.repeat(20_000)}`,
      ),
    },
    { weight: 4, arbitrary: fc.constantFrom(...authenticatingHeaders) },
  );
}
