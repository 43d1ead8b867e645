import { formWithCredentials, type ExampleRequest } from './example-request.ts';

/**
 * The request as Python 3, with the standard library only. The blank line ends the block in an interactive interpreter.
 */
export function asPython(request: ExampleRequest): string {
  const form = formWithCredentials(request);
  const more = [
    ...(form === null ? [] : ['data=urlencode(form).encode()']),
    ...(request.bearer === null ? [] : [`headers={"Authorization": ${literal(`Bearer ${request.bearer}`)}}`]),
  ];
  return [
    'from urllib.error import HTTPError',
    ...(form === null ? [] : ['from urllib.parse import urlencode']),
    'from urllib.request import Request, urlopen',
    '',
    ...(form === null
      ? []
      : ['form = {', ...form.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`), '}']),
    `request = Request(${[literal(request.url), ...more].join(', ')})`,
    'try:',
    '    response = urlopen(request)',
    'except HTTPError as error:',
    '    response = error',
    '',
    'print(response.read().decode())',
  ].join('\n');
}

/** JSON strings are valid Python strings. */
function literal(text: string): string {
  return JSON.stringify(text);
}
