import { asciiLiteral, longUnicodeEscape, unicodeEscape } from './ascii-literal.ts';
import { formWithCredentials, headersOf, requiredBasic, type ExampleRequest } from './example-request.ts';

/**
 * Returns the request as a Python 3 program that uses only the standard library. The blank line before the last
 * statement ends the `try` statement in an interactive interpreter.
 */
export function asPython(request: ExampleRequest): string {
  const form = formWithCredentials(request);
  const basic = requiredBasic(request);
  const headers = [
    ...headersOf(request).map(([name, value]) => `${literal(name)}: ${literal(value)}`),
    ...(basic === null ? [] : ['"Authorization": "Basic " + credentials']),
  ];
  const options = [
    ...(form === null ? [] : ['data=urlencode(form).encode()']),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
  ];
  return [
    ...(basic === null ? [] : ['from base64 import b64encode']),
    'from urllib.error import HTTPError',
    ...(form === null ? [] : ['from urllib.parse import urlencode']),
    'from urllib.request import Request, urlopen',
    '',
    ...(form === null
      ? []
      : ['form = {', ...form.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`), '}']),
    ...(basic === null ? [] : [`credentials = b64encode(${literal(basic)}.encode()).decode()`]),
    `request = Request(${[literal(request.url), ...options].join(', ')})`,
    'try:',
    '    response = urlopen(request)',
    'except HTTPError as error:',
    '    response = error',
    '',
    'print(response.read().decode())',
  ].join('\n');
}

function literal(text: string): string {
  return asciiLiteral(text, { escapeControl: unicodeEscape, escapeNonAscii: longUnicodeEscape });
}
