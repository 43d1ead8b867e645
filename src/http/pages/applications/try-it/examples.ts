import type { ClientType, RegisteredGrant } from '../../../../domain/values.ts';
import { TOKEN_TYPES } from '../../../../oauth/exchange/token-types.ts';
import { DEVICE_GRANT_TYPE } from '../../../../oauth/grant-types/device-code.ts';
import { TOKEN_EXCHANGE_GRANT_TYPE } from '../../../../oauth/grant-types/token-exchange.ts';
import type { ExampleRequest } from './example-request.ts';
import type { PkcePair } from './pkce.ts';

/** An example request that a program sends, or an address that a user opens. */
export type Example = {
  readonly id: ExampleId;
  readonly title: string;
  readonly explanation: string;
} & (
  | { readonly request: ExampleRequest; readonly link: null }
  /** An address of this server. */
  | { readonly request: null; readonly link: string }
);

export type ExampleId =
  | 'authorize'
  | 'login'
  | 'exchange'
  | 'client-credentials'
  | 'password'
  | 'device'
  | 'device-token'
  | 'token-exchange'
  | 'refresh'
  | 'userinfo'
  | 'api'
  | 'introspect'
  | 'revoke';

export interface ExampleClient {
  /** The issuer, without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientType: ClientType;
  readonly grants: readonly RegisteredGrant[];
  /** The examples use the first one. */
  readonly redirectUris: readonly string[];
  /** Generated for each page, like `state`. */
  readonly pkce: PkcePair;
  readonly state: string;
  /** For the login; also generated for each page. */
  readonly nonce: string;
  /** Whether the sample API is enabled. */
  readonly sampleApi: boolean;
}

/** Example requests for each registered grant type, then for what can be done with the tokens. */
export function examplesFor(client: ExampleClient): readonly Example[] {
  const byGrant: Record<RegisteredGrant, () => readonly Example[]> = {
    'authorization-code': () => [authorizationExample(client), loginExample(client), codeExchangeExample(client)],
    'client-credentials': () => [clientCredentialsExample(client)],
    password: () => [passwordExample(client)],
    'device-code': () => [deviceExample(client), deviceTokenExample(client)],
    'token-exchange': () => [tokenExchangeExample(client)],
  };
  return [...client.grants.flatMap((grant) => byGrant[grant]()), ...tokenExamples(client)];
}

/** The requests that follow an authorization: those with the code, and those with the tokens. */
export function examplesAfterAuthorization(client: ExampleClient): readonly Example[] {
  return [codeExchangeExample(client), ...tokenExamples(client)];
}

function tokenExamples(client: ExampleClient): readonly Example[] {
  if (client.grants.length === 0) return [];
  const hasUsers = client.grants.some((grant) => grant !== 'client-credentials' && grant !== 'token-exchange');
  return [
    ...(client.grants.includes('authorization-code') ? [userinfoExample(client)] : []),
    ...(client.sampleApi ? [apiCallExample(client)] : []),
    ...(client.clientType === 'confidential' ? [introspectionExample(client)] : []),
    ...(hasUsers ? [refreshExample(client)] : []),
    revocationExample(client),
  ];
}

function authorizationExample(client: ExampleClient): Example {
  return authorizeLink(
    client,
    'authorize',
    'Authorization code: ask the user',
    'The user is asked for access, and returns to the redirect URI with a code.',
    {},
  );
}

function loginExample(client: ExampleClient): Example {
  return authorizeLink(
    client,
    'login',
    'OpenID Connect: log the user in',
    'The same with the scope openid. The response to the code then contains an ID token, which says who logged in.',
    { scope: `openid profile email${client.sampleApi ? ' read' : ''}`, nonce: client.nonce },
  );
}

function authorizeLink(
  { clientId, redirectUris, state, pkce }: ExampleClient,
  id: ExampleId,
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
  return { id, title, explanation, link: `/o/authorize/?${parameters.toString()}`, request: null };
}

function codeExchangeExample(client: ExampleClient): Example {
  return {
    id: 'exchange',
    title: 'Authorization code: exchange the code',
    explanation: 'The code works once, for a short time, and only with the code verifier of its request.',
    ...tokenRequest(client, null, [
      ['grant_type', 'authorization_code'],
      ['code', 'CODE'],
      ['redirect_uri', client.redirectUris[0] ?? 'REDIRECT_URI'],
      ['code_verifier', client.pkce.verifier],
      ...credentials(client),
    ]),
  };
}

function clientCredentialsExample(client: ExampleClient): Example {
  return {
    id: 'client-credentials',
    title: 'Client credentials',
    explanation: 'The application gets a token for itself, without a user.',
    ...tokenRequest(client, basic(client), [['grant_type', 'client_credentials']]),
  };
}

function passwordExample(client: ExampleClient): Example {
  const form = [
    ['grant_type', 'password'],
    ['username', 'USERNAME'],
    ['password', 'PASSWORD'],
  ] as const;
  return {
    id: 'password',
    title: 'Resource owner password',
    explanation: 'The application sends a user’s own user name and password.',
    ...(client.clientType === 'public'
      ? tokenRequest(client, null, [...form, ...credentials(client)])
      : tokenRequest(client, basic(client), form)),
  };
}

function deviceExample(client: ExampleClient): Example {
  return {
    id: 'device',
    title: 'Device: get the codes',
    explanation: 'The device shows the user code and the address. The user opens it in any browser, and approves.',
    ...tokenRequest(client, null, credentials(client), 'device_authorization'),
  };
}

function deviceTokenExample(client: ExampleClient): Example {
  return {
    id: 'device-token',
    title: 'Device: ask for the tokens',
    explanation: 'The device repeats this every five seconds, until the user has decided.',
    ...tokenRequest(client, null, [
      ['grant_type', DEVICE_GRANT_TYPE],
      ['device_code', 'DEVICE_CODE'],
      ...credentials(client),
    ]),
  };
}

function tokenExchangeExample(client: ExampleClient): Example {
  return {
    id: 'token-exchange',
    title: 'Token exchange',
    explanation:
      'The application exchanges a token that it received for a narrower one. An exchange policy has to allow it.',
    ...tokenRequest(client, basic(client), [
      ['grant_type', TOKEN_EXCHANGE_GRANT_TYPE],
      ['subject_token', 'SUBJECT_TOKEN'],
      ['subject_token_type', TOKEN_TYPES.accessToken],
    ]),
  };
}

function refreshExample(client: ExampleClient): Example {
  return {
    id: 'refresh',
    title: 'Refresh',
    explanation: 'Returns new tokens. The old refresh token stops working.',
    ...tokenRequest(client, null, [
      ['grant_type', 'refresh_token'],
      ['refresh_token', 'REFRESH_TOKEN'],
      ...credentials(client),
    ]),
  };
}

function userinfoExample({ issuer }: ExampleClient): Example {
  return {
    id: 'userinfo',
    title: 'OpenID Connect: read the claims about the user',
    explanation: 'Needs an access token with the scope openid. Returns what the user agreed to share.',
    ...bearerRequest(`${issuer}/o/userinfo/`),
  };
}

function apiCallExample({ issuer }: ExampleClient): Example {
  return {
    id: 'api',
    title: 'Use the token',
    explanation: 'Calls the sample API, which lists users for a token with the scope read.',
    ...bearerRequest(`${issuer}/users/`),
  };
}

function introspectionExample(client: ExampleClient): Example {
  return {
    id: 'introspect',
    title: 'Look at a token',
    explanation: 'What an API asks this server about a token that it received (introspection).',
    ...tokenRequest(client, basic(client), [['token', 'ACCESS_TOKEN']], 'introspect'),
  };
}

function revocationExample(client: ExampleClient): Example {
  const isPublic = client.clientType === 'public';
  return {
    id: 'revoke',
    title: 'Revoke the token',
    explanation: 'The token stops working at once. The response is the same for a token that nobody knows.',
    ...(isPublic
      ? tokenRequest(client, null, [['token', 'ACCESS_TOKEN'], ...credentials(client)], 'revoke_token')
      : tokenRequest(client, basic(client), [['token', 'ACCESS_TOKEN']], 'revoke_token')),
  };
}

type Request = Pick<Extract<Example, { link: null }>, 'request' | 'link'>;

function tokenRequest(
  { issuer }: ExampleClient,
  basicCredentials: ExampleRequest['basic'],
  form: NonNullable<ExampleRequest['form']>,
  endpoint: 'token' | 'device_authorization' | 'introspect' | 'revoke_token' = 'token',
): Request {
  return { request: { url: `${issuer}/o/${endpoint}/`, form, basic: basicCredentials, bearer: null }, link: null };
}

function bearerRequest(url: string): Request {
  return { request: { url, form: null, basic: null, bearer: 'ACCESS_TOKEN' }, link: null };
}

function basic({ clientId }: ExampleClient): ExampleRequest['basic'] {
  return { clientId, clientSecret: SECRET };
}

function credentials(client: ExampleClient): NonNullable<ExampleRequest['form']> {
  const clientId = ['client_id', client.clientId] as const;
  return client.clientType === 'public' ? [clientId] : [clientId, ['client_secret', SECRET]];
}

/** The server has only its hash. */
const SECRET = 'CLIENT_SECRET';
