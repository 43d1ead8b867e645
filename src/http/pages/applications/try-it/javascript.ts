import { formWithCredentials, type ExampleRequest } from './example-request.ts';

/** The request as JavaScript for Node or a browser. A single statement can be pasted into a console repeatedly. */
export function asJavaScript(request: ExampleRequest): string {
  const form = formWithCredentials(request);
  const options = [
    ...(request.bearer === null ? [] : [`  headers: { Authorization: ${literal(`Bearer ${request.bearer}`)} },`]),
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

/** A JSON string with single quotes, like the rest of the code. */
function literal(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inner}'`;
}
