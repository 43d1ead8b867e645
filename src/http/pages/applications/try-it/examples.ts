import type { RegisteredGrant } from '../../../../domain/values.ts';
import { message } from '../../../../language/message.ts';
import { TOKEN_TYPES } from '../../../../oauth/exchange/token-types.ts';
import { DEVICE_GRANT_TYPE } from '../../../../oauth/grant-types/device-code.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../../../oauth/grant-types/jwt-bearer.ts';
import { TOKEN_EXCHANGE_GRANT_TYPE } from '../../../../oauth/grant-types/token-exchange.ts';
import { clientRequest, tokenRequest } from './authenticated-request.ts';
import { authorizationExamples } from './authorization-examples.ts';
import type { Example, ExampleClient } from './example.ts';
import type { ExampleRequest } from './example-request.ts';

/** Returns the examples for each registered grant type, then the examples that use the tokens. */
export function examplesFor(client: ExampleClient): readonly Example[] {
  const examplesByGrant: Record<RegisteredGrant, () => readonly Example[]> = {
    'authorization-code': () => [...authorizationExamples(client), codeRedemptionExample(client)],
    'client-credentials': () => [clientCredentialsExample(client)],
    password: () => [passwordExample(client)],
    'device-code': () => [deviceExample(client), deviceTokenExample(client)],
    'token-exchange': () => [tokenExchangeExample(client)],
    'jwt-bearer': () => [jwtBearerExample(client)],
  };
  return [...client.grants.flatMap((grant) => examplesByGrant[grant]()), ...tokenExamples(client)];
}

/** Returns the examples that follow an authorization: the request with the code, then the requests with the tokens. */
export function examplesAfterAuthorization(client: ExampleClient): readonly Example[] {
  return [codeRedemptionExample(client), ...tokenExamples(client)];
}

/** The grant types that issue no refresh token. */
const GRANTS_WITHOUT_REFRESH: readonly RegisteredGrant[] = ['client-credentials', 'token-exchange', 'jwt-bearer'];

function tokenExamples(client: ExampleClient): readonly Example[] {
  if (client.grants.length === 0) return [];
  const canRefresh = client.grants.some((grant) => !GRANTS_WITHOUT_REFRESH.includes(grant));
  return [
    ...(client.grants.includes('authorization-code') ? [userinfoExample(client)] : []),
    ...(client.sampleApi ? [apiCallExample(client)] : []),
    ...(client.clientType === 'confidential' ? [introspectionExample(client)] : []),
    ...(canRefresh ? [refreshExample(client)] : []),
    revocationExample(client),
  ];
}

function codeRedemptionExample(client: ExampleClient): Example {
  return {
    id: 'exchange',
    title: message('example.exchange'),
    explanation: message('example.exchange-text'),
    ...requestMembers(
      clientRequest(client, 'token', [
        ['grant_type', 'authorization_code'],
        ['code', 'CODE'],
        ['redirect_uri', client.redirectUris[0] ?? 'REDIRECT_URI'],
        ['code_verifier', client.pkce.verifier],
      ]),
    ),
  };
}

function clientCredentialsExample(client: ExampleClient): Example {
  return {
    id: 'client-credentials',
    title: message('grant-type.client-credentials'),
    explanation: message('example.client-credentials-text'),
    ...requestMembers(clientRequest(client, 'token', [['grant_type', 'client_credentials']], 'header')),
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
    title: message('grant-type.password'),
    explanation: message('example.password-text'),
    ...requestMembers(clientRequest(client, 'token', form, 'header')),
  };
}

function deviceExample(client: ExampleClient): Example {
  return {
    id: 'device',
    title: message('example.device'),
    explanation: message('example.device-text'),
    ...requestMembers(clientRequest(client, 'device', [])),
  };
}

function deviceTokenExample(client: ExampleClient): Example {
  return {
    id: 'device-token',
    title: message('example.device-token'),
    explanation: message('example.device-token-text'),
    ...requestMembers(
      clientRequest(client, 'token', [
        ['grant_type', DEVICE_GRANT_TYPE],
        ['device_code', 'DEVICE_CODE'],
      ]),
    ),
  };
}

function tokenExchangeExample(client: ExampleClient): Example {
  return {
    id: 'token-exchange',
    title: message('grant-type.token-exchange'),
    explanation: message('example.token-exchange-text'),
    ...requestMembers(
      clientRequest(
        client,
        'token',
        [
          ['grant_type', TOKEN_EXCHANGE_GRANT_TYPE],
          ['subject_token', 'SUBJECT_TOKEN'],
          ['subject_token_type', TOKEN_TYPES.accessToken],
        ],
        'header',
      ),
    ),
  };
}

function jwtBearerExample(client: ExampleClient): Example {
  return {
    id: 'jwt-bearer',
    title: message('grant-type.assertion'),
    explanation: message('example.assertion-text'),
    ...requestMembers(
      clientRequest(
        client,
        'token',
        [
          ['grant_type', JWT_BEARER_GRANT_TYPE],
          ['assertion', 'ASSERTION'],
        ],
        'header',
      ),
    ),
  };
}

function refreshExample(client: ExampleClient): Example {
  return {
    id: 'refresh',
    title: message('example.refresh'),
    explanation: message('example.refresh-text'),
    ...requestMembers(
      clientRequest(client, 'token', [
        ['grant_type', 'refresh_token'],
        ['refresh_token', 'REFRESH_TOKEN'],
      ]),
    ),
  };
}

function userinfoExample(client: ExampleClient): Example {
  return {
    id: 'userinfo',
    title: message('example.userinfo'),
    explanation: message('example.userinfo-text'),
    ...requestMembers(tokenRequest(client, '/o/userinfo/')),
  };
}

function apiCallExample(client: ExampleClient): Example {
  return {
    id: 'api',
    title: message('example.api'),
    explanation: message('example.api-text'),
    ...requestMembers(tokenRequest(client, '/users/')),
  };
}

function introspectionExample(client: ExampleClient): Example {
  return {
    id: 'introspect',
    title: message('example.introspect'),
    explanation: message('example.introspect-text'),
    ...requestMembers(clientRequest(client, 'introspect', [['token', 'ACCESS_TOKEN']], 'header')),
  };
}

function revocationExample(client: ExampleClient): Example {
  return {
    id: 'revoke',
    title: message('example.revoke'),
    explanation: message('example.revoke-text'),
    ...requestMembers(clientRequest(client, 'revoke', [['token', 'ACCESS_TOKEN']], 'header')),
  };
}

function requestMembers(request: ExampleRequest): Pick<Example, 'request' | 'link' | 'claims'> {
  return { request, link: null, claims: null };
}
