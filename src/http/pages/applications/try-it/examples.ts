import type { ClientType, RegisteredGrant } from '../../../../domain/values.ts';
import { asCurl } from './curl.ts';
import type { ExampleRequest } from './example-request.ts';
import { asJavaScript } from './javascript.ts';
import type { PkcePair } from './pkce.ts';
import { asPython } from './python.ts';

/** An example request to paste, or an address to open. */
export interface Example {
  readonly title: string;
  readonly explanation: string;
  /** An address of this server to open in a browser, or null for a request that a program sends. */
  readonly link: string | null;
  /** The page shows the first one expanded. */
  readonly snippets: readonly { readonly language: string; readonly code: string }[];
}

export interface ExampleClient {
  /** The issuer, without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientType: ClientType;
  /** The secret while it is shown. Null puts in a placeholder for confidential clients. */
  readonly clientSecret: string | null;
  readonly grants: readonly RegisteredGrant[];
  readonly redirectUris: readonly string[];
  /** Generated for each page, like `state`. */
  readonly pkce: PkcePair;
  readonly state: string;
  /** For the login; also generated for each page. */
  readonly nonce: string;
  /** Whether the sample API is enabled. */
  readonly sampleApi: boolean;
}

/** Example requests for each registered grant type, then for a refresh and for an API call. */
export function examplesFor(client: ExampleClient): readonly Example[] {
  const byGrant: Record<RegisteredGrant, () => readonly Example[]> = {
    'authorization-code': () => [authorizationExample(client), loginExample(client), codeExchangeExample(client)],
    'client-credentials': () => [clientCredentialsExample(client)],
    password: () => [passwordExample(client)],
  };
  const examples = client.grants.flatMap((grant) => byGrant[grant]());
  if (client.grants.some((grant) => grant !== 'client-credentials')) examples.push(refreshExample(client));
  if (client.grants.includes('authorization-code')) examples.push(userinfoExample(client));
  if (client.sampleApi && client.grants.length > 0) examples.push(apiCallExample(client));
  return examples;
}

function authorizationExample(client: ExampleClient): Example {
  return authorizeLink(
    client,
    'Authorization code: ask the user',
    'Open this address in a browser. After you approve, your browser goes to the redirect URI (an error page is ' +
      'fine). Copy the full address from the address bar and paste it above.',
    {},
  );
}

function loginExample(client: ExampleClient): Example {
  return authorizeLink(
    client,
    'OpenID Connect: log the user in',
    'The same with the scope openid. The token response then contains an ID token; paste the response above, and the ' +
      'ID token is checked and explained.',
    { scope: 'openid profile email', nonce: client.nonce },
  );
}

function authorizeLink(
  { issuer, clientId, redirectUris, state, pkce }: ExampleClient,
  title: string,
  explanation: string,
  more: Readonly<Record<string, string>>,
): Example {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUris[0] ?? 'REDIRECT_URI',
    ...more,
    state,
    code_challenge: pkce.challenge,
    code_challenge_method: pkce.method,
  });
  const link = `/o/authorize/?${parameters.toString()}`;
  return { title, explanation, link, snippets: [{ language: 'Address', code: issuer + link }] };
}

function codeExchangeExample(client: ExampleClient): Example {
  return requestExample(
    'Authorization code: exchange the code',
    'Replace CODE with the code. It works once, for a short time, and only with the code verifier that matches the ' +
      'challenge above.',
    tokenRequest(client, null, [
      ['grant_type', 'authorization_code'],
      ['code', 'CODE'],
      ['redirect_uri', client.redirectUris[0] ?? 'REDIRECT_URI'],
      ['code_verifier', client.pkce.verifier],
      ...credentials(client),
    ]),
  );
}

function clientCredentialsExample(client: ExampleClient): Example {
  return requestExample(
    'Client credentials',
    'The application acts on its own behalf, without a user.',
    tokenRequest(client, basic(client), [['grant_type', 'client_credentials']]),
  );
}

function passwordExample(client: ExampleClient): Example {
  const form = [
    ['grant_type', 'password'],
    ['username', 'USERNAME'],
    ['password', 'PASSWORD'],
  ] as const;
  return requestExample(
    'Resource owner password',
    'Replace USERNAME and PASSWORD with a user’s credentials.',
    client.clientType === 'public'
      ? tokenRequest(client, null, [...form, ...credentials(client)])
      : tokenRequest(client, basic(client), form),
  );
}

function refreshExample(client: ExampleClient): Example {
  return requestExample(
    'Refresh',
    'Replace REFRESH_TOKEN with the refresh token of a response. Returns new tokens; the old refresh token stops ' +
      'working.',
    tokenRequest(client, null, [
      ['grant_type', 'refresh_token'],
      ['refresh_token', 'REFRESH_TOKEN'],
      ...credentials(client),
    ]),
  );
}

function userinfoExample({ issuer }: ExampleClient): Example {
  return requestExample(
    'OpenID Connect: read the claims about the user',
    'Replace ACCESS_TOKEN with an access token of a login. The response contains what the user agreed to share.',
    { url: `${issuer}/o/userinfo/`, form: null, basic: null, bearer: 'ACCESS_TOKEN' },
  );
}

function apiCallExample({ issuer }: ExampleClient): Example {
  return requestExample(
    'Use the token',
    'Replace ACCESS_TOKEN with the access token. The sample API lists users for a token with the scope read.',
    { url: `${issuer}/users/`, form: null, basic: null, bearer: 'ACCESS_TOKEN' },
  );
}

function requestExample(title: string, explanation: string, request: ExampleRequest): Example {
  const snippets = [
    { language: 'curl', code: asCurl(request) },
    { language: 'JavaScript', code: asJavaScript(request) },
    { language: 'Python', code: asPython(request) },
  ];
  return { title, explanation, link: null, snippets };
}

function tokenRequest(
  { issuer }: ExampleClient,
  basicCredentials: ExampleRequest['basic'],
  form: NonNullable<ExampleRequest['form']>,
): ExampleRequest {
  return { url: `${issuer}/o/token/`, form, basic: basicCredentials, bearer: null };
}

function basic(client: ExampleClient): ExampleRequest['basic'] {
  return { clientId: client.clientId, clientSecret: secret(client) };
}

function credentials(client: ExampleClient): NonNullable<ExampleRequest['form']> {
  const clientId = ['client_id', client.clientId] as const;
  return client.clientType === 'public' ? [clientId] : [clientId, ['client_secret', secret(client)]];
}

function secret(client: ExampleClient): string {
  return client.clientSecret ?? 'CLIENT_SECRET';
}
