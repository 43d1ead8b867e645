import { asciiLiteral, unicodeEscape, utf16Escape } from './ascii-literal.ts';
import { formWithCredentials, headersOf, requiredBasic, type ExampleRequest } from './example-request.ts';

/**
 * Returns the request as JavaScript for Node or a browser. The code is a single statement without declarations, so
 * developers can paste it into a console repeatedly.
 */
export function asJavaScript(request: ExampleRequest): string {
  const form = formWithCredentials(request);
  const basic = requiredBasic(request);
  const headers = [
    ...headersOf(request).map(([name, value]) => `${name}: ${literal(value)}`),
    ...(basic === null ? [] : [`Authorization: 'Basic ' + btoa(${literal(basic)})`]),
  ];
  const options = [
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(form === null
      ? []
      : [
          "  method: 'POST',",
          '  body: new URLSearchParams({',
          ...form.map(([name, value]) => `    ${name}: ${literal(value)},`),
          '  }),',
        ]),
  ];
  return [
    `fetch(${literal(request.url)}, {`,
    ...options,
    '}).then((response) => response.text()).then(console.log);',
  ].join('\n');
}

/** Returns a string literal with single quotes, like the other literals in the generated code. */
function literal(text: string): string {
  const inner = asciiLiteral(text, { escapeControl: unicodeEscape, escapeNonAscii: utf16Escape })
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inner}'`;
}
