import { formWithCredentials, type ExampleRequest } from './example-request.ts';

/** The request as Python 3 that needs nothing but its standard library; the empty line lets it be pasted into the interpreter. */
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
    '    answer = urlopen(request)',
    'except HTTPError as refusal:',
    '    answer = refusal',
    '',
    'print(answer.read().decode())',
  ].join('\n');
}

/** A JSON string is one of Python's, too. */
function literal(text: string): string {
  return JSON.stringify(text);
}
