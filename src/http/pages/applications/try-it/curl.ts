import { headersOf, type ExampleRequest } from './example-request.ts';

/** Returns the request as a curl command for a POSIX shell. */
export function asCurl(request: ExampleRequest): string {
  const { url, form, basic, certificate } = request;
  const options = [
    ...(certificate ? ['--cert client.pem --key client.key'] : []),
    ...(basic === null ? [] : [`-u ${shellQuote(`${basic.clientId}:${basic.clientSecret}`)}`]),
    ...headersOf(request).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...(form ?? []).map(([name, value]) => `--data-urlencode ${shellQuote(`${name}=${value}`)}`),
    ...(form?.length === 0 ? ["--data ''"] : []), // makes curl send a POST request
  ];
  return [`curl ${shellQuote(url)}`, ...options].join(' \\\n  ');
}

/** Quotes a word for a POSIX shell, so that a registered value in a pasted example cannot run as a command. */
function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
