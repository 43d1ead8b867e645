import type { ClientType, RegisteredGrant } from '../domain/values.ts';

/** A request that a developer can paste into a terminal. */
export interface CurlExample {
  readonly title: string;
  readonly explanation: string;
  readonly command: string;
}

export interface ExampleClient {
  /** The issuer's address, without a slash at its end. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientType: ClientType;
  /** The secret while it may be shown; null puts a placeholder where a confidential client has one. */
  readonly clientSecret: string | null;
  readonly grants: readonly RegisteredGrant[];
  readonly redirectUris: readonly string[];
  /** Whether this client's authorization requests need a code challenge (RFC 7636). */
  readonly pkce: boolean;
  /** Whether the sample API is there to try a token on. */
  readonly sampleApi: boolean;
}

/** One example for each registered grant, in that order, then the refresh and a call with the token. */
export function curlExamples(client: ExampleClient): readonly CurlExample[] {
  const byGrant: Record<RegisteredGrant, () => readonly CurlExample[]> = {
    'authorization-code': () => [askForCode(client), exchangeCode(client)],
    'client-credentials': () => [clientCredentials(client)],
    password: () => [password(client)],
  };
  const examples = client.grants.flatMap((grant) => byGrant[grant]());
  if (client.grants.some((grant) => grant !== 'client-credentials')) examples.push(refresh(client));
  if (client.sampleApi && client.grants.length > 0) examples.push(callApi(client));
  return examples;
}

function askForCode(client: ExampleClient): CurlExample {
  const parameters = new URLSearchParams({ response_type: 'code', client_id: client.clientId, redirect_uri: redirectUri(client) });
  const title = 'Authorization code: ask the user';
  if (!client.pkce) {
    return {
      title,
      explanation: 'Open this address in a browser. After approval, take the code from the address that you are sent to.',
      command: `${client.issuer}/o/authorize/?${parameters.toString()}`,
    };
  }
  parameters.set('code_challenge_method', 'S256');
  return {
    title,
    explanation: 'Prints an address to open in a browser. After approval, take the code from the address that you are sent to.',
    command: [
      'verifier=$(openssl rand -hex 32)',
      `challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')`,
      `echo ${quoted(`${client.issuer}/o/authorize/?${parameters.toString()}&code_challenge=`)}"$challenge"`,
    ].join('\n'),
  };
}

function exchangeCode(client: ExampleClient): CurlExample {
  return {
    title: 'Authorization code: exchange it',
    explanation: 'Put the code in place of CODE. It works once, and only for a short time.',
    command: tokenRequest(client, [
      '-d grant_type=authorization_code',
      '-d code=CODE',
      `--data-urlencode ${quoted(`redirect_uri=${redirectUri(client)}`)}`,
      ...bodyCredentials(client),
      ...(client.pkce ? ['-d code_verifier="$verifier"'] : []),
    ]),
  };
}

function clientCredentials(client: ExampleClient): CurlExample {
  return {
    title: 'Client credentials',
    explanation: 'The application acts for itself, without a user.',
    command: tokenRequest(client, [basicCredentials(client), '-d grant_type=client_credentials']),
  };
}

function password(client: ExampleClient): CurlExample {
  const credentials = client.clientType === 'public' ? bodyCredentials(client) : [basicCredentials(client)];
  return {
    title: 'Resource owner password',
    explanation: 'Put a user’s name and password in place of USERNAME and PASSWORD.',
    command: tokenRequest(client, [
      ...credentials,
      '-d grant_type=password',
      "--data-urlencode 'username=USERNAME'",
      "--data-urlencode 'password=PASSWORD'",
    ]),
  };
}

function refresh(client: ExampleClient): CurlExample {
  return {
    title: 'Refresh',
    explanation: 'Trades the refresh token for a new pair; the old one is spent.',
    command: tokenRequest(client, ['-d grant_type=refresh_token', '-d refresh_token=REFRESH_TOKEN', ...bodyCredentials(client)]),
  };
}

function callApi(client: ExampleClient): CurlExample {
  return {
    title: 'Use the token',
    explanation: 'The sample API lists users for a token with the scope read.',
    command: `curl -H 'Authorization: Bearer ACCESS_TOKEN' ${quoted(`${client.issuer}/users/`)}`,
  };
}

function tokenRequest(client: ExampleClient, options: readonly string[]): string {
  return [`curl ${quoted(`${client.issuer}/o/token/`)}`, ...options].join(' \\\n  ');
}

function basicCredentials(client: ExampleClient): string {
  return `-u ${quoted(`${client.clientId}:${secret(client)}`)}`;
}

function bodyCredentials(client: ExampleClient): readonly string[] {
  const clientId = `--data-urlencode ${quoted(`client_id=${client.clientId}`)}`;
  if (client.clientType === 'public') return [clientId];
  return [clientId, `--data-urlencode ${quoted(`client_secret=${secret(client)}`)}`];
}

function secret(client: ExampleClient): string {
  return client.clientSecret ?? 'CLIENT_SECRET';
}

function redirectUri(client: ExampleClient): string {
  return client.redirectUris[0] ?? 'REDIRECT_URI';
}

/** One word for a POSIX shell: what people registered must not become a command when pasted. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
