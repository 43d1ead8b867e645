import { asciiLiteral, unicodeEscape, utf16Escape } from './ascii-literal.ts';
import { formWithCredentials, headersOf, requiredBasic, type ExampleRequest } from './example-request.ts';

/** Returns the request as a program for .NET 6 or newer that uses only the standard library. */
export function asCSharp(request: ExampleRequest): string {
  const form = formWithCredentials(request);
  const basic = requiredBasic(request);
  const method = form === null ? 'Get' : 'Post';
  return [
    'using System;',
    ...(form === null ? [] : ['using System.Collections.Generic;']),
    'using System.Net.Http;',
    ...(basic === null ? [] : ['using System.Text;']),
    '',
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(HttpMethod.${method}, ${literal(request.url)});`,
    ...headersOf(request).map(([name, value]) => `request.Headers.Add(${literal(name)}, ${literal(value)});`),
    ...(basic === null
      ? []
      : [
          `var credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes(${literal(basic)}));`,
          'request.Headers.Add("Authorization", "Basic " + credentials);',
        ]),
    ...(form === null
      ? []
      : [
          'request.Content = new FormUrlEncodedContent(new Dictionary<string, string>',
          '{',
          ...form.map(([name, value]) => `    [${literal(name)}] = ${literal(value)},`),
          '});',
        ]),
    'using var response = await client.SendAsync(request);',
    'Console.WriteLine(await response.Content.ReadAsStringAsync());',
  ].join('\n');
}

function literal(text: string): string {
  return asciiLiteral(text, { escapeControl: unicodeEscape, escapeNonAscii: utf16Escape });
}
