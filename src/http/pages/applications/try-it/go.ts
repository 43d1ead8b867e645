import { asciiLiteral, longUnicodeEscape, unicodeEscape } from './ascii-literal.ts';
import { formWithCredentials, headersOf, type ExampleRequest } from './example-request.ts';

/** Returns the request as a Go program that uses only the standard library. */
export function asGo(request: ExampleRequest): string {
  const form = formWithCredentials(request);
  const basic = request.basic?.isRequired ? request.basic : null;
  return [
    'package main',
    '',
    'import (',
    '\t"fmt"',
    '\t"io"',
    '\t"net/http"',
    ...(form === null ? [] : ['\t"net/url"', '\t"strings"']),
    ')',
    '',
    'func main() {',
    ...(form === null ? [] : ['\tform := url.Values{', ...form.map(formatEntry), '\t}']),
    `\trequest, err := http.NewRequest(${[
      form === null ? '"GET"' : '"POST"',
      literal(request.url),
      form === null ? 'nil' : 'strings.NewReader(form.Encode())',
    ].join(', ')})`,
    ...PANIC_ON_ERROR,
    ...(form === null ? [] : ['\trequest.Header.Set("Content-Type", "application/x-www-form-urlencoded")']),
    ...headersOf(request).map(([name, value]) => `\trequest.Header.Set(${literal(name)}, ${literal(value)})`),
    ...(basic === null ? [] : [`\trequest.SetBasicAuth(${literal(basic.clientId)}, ${literal(basic.clientSecret)})`]),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...PANIC_ON_ERROR,
    '\tdefer response.Body.Close()',
    '\tbody, err := io.ReadAll(response.Body)',
    ...PANIC_ON_ERROR,
    '\tfmt.Println(string(body))',
    '}',
  ].join('\n');
}

const PANIC_ON_ERROR = ['\tif err != nil {', '\t\tpanic(err)', '\t}'];

function formatEntry([name, value]: readonly [string, string]): string {
  return `\t\t${literal(name)}: {${literal(value)}},`;
}

function literal(text: string): string {
  return asciiLiteral(text, { escapeControl: unicodeEscape, escapeNonAscii: longUnicodeEscape });
}
