import type { ExampleRequest } from './example-request.ts';

/** The request as a curl command for a POSIX shell. */
export function asCurl({ url, form, basic, bearer }: ExampleRequest): string {
  const options = [
    ...(basic === null ? [] : [`-u ${shellQuote(`${basic.clientId}:${basic.clientSecret}`)}`]),
    ...(bearer === null ? [] : [`-H ${shellQuote(`Authorization: Bearer ${bearer}`)}`]),
    ...(form ?? []).map(([name, value]) => `--data-urlencode ${shellQuote(`${name}=${value}`)}`),
  ];
  return [`curl ${shellQuote(url)}`, ...options].join(' \\\n  ');
}

/** Quotes a word for a POSIX shell, so that registered values cannot become commands when pasted. */
function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
