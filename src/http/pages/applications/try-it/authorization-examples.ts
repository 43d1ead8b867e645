import { message } from '../../../../language/message.ts';
import { clientRequest } from './authenticated-request.ts';
import type { Example, ExampleClient } from './example.ts';

type Parameters = Readonly<Record<string, string>>;

const LOGIN_EXPLANATION = message('example.login-text');

/** Returns the examples that ask a user for access, both with and without OpenID Connect. */
export function authorizationExamples(client: ExampleClient): readonly Example[] {
  const { pushed } = client.requirements;
  const loginParameters = { scope: `openid profile email${client.sampleApi ? ' read' : ''}`, nonce: client.nonce };
  if (!pushed)
    return [
      {
        id: 'authorize',
        title: message('example.ask'),
        explanation: message('example.ask-text'),
        ...requestLink(client, authorizationParameters(client, {})),
      },
      {
        id: 'login',
        title: message('example.login'),
        explanation: LOGIN_EXPLANATION,
        ...requestLink(client, authorizationParameters(client, loginParameters)),
      },
    ];
  return [
    {
      id: 'push',
      title: message('example.push'),
      explanation: message('example.push-text'),
      ...pushRequest(client, authorizationParameters(client, {})),
    },
    {
      id: 'push-login',
      title: message('example.push-login'),
      explanation: LOGIN_EXPLANATION,
      ...pushRequest(client, authorizationParameters(client, loginParameters)),
    },
    {
      id: 'authorize',
      title: message('example.ask'),
      explanation: message('example.ask-pushed-text'),
      ...authorizationLink({ client_id: client.clientId, request_uri: 'REQUEST_URI' }),
    },
  ];
}

function authorizationParameters(
  { clientId, redirectUris, state, pkce }: ExampleClient,
  additionalParameters: Parameters,
): Parameters {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUris[0] ?? 'REDIRECT_URI',
    ...additionalParameters,
    state,
    code_challenge: pkce.challenge,
    code_challenge_method: pkce.method,
  };
}

type LinkOrRequest = Pick<Example, 'link' | 'request' | 'claims'>;

/** Returns the link for an authorization request. A signed request contains its parameters in a JWT (RFC 9101 §4). */
function requestLink({ clientId, requirements }: ExampleClient, parameters: Parameters): LinkOrRequest {
  if (!requirements.signed) return authorizationLink(parameters);
  return { ...authorizationLink({ client_id: clientId, request: 'REQUEST_OBJECT' }), claims: parameters };
}

function authorizationLink(parameters: Parameters): LinkOrRequest {
  return { link: `/o/authorize/?${new URLSearchParams(parameters).toString()}`, request: null, claims: null };
}

function pushRequest(client: ExampleClient, parameters: Parameters): LinkOrRequest {
  const { client_id: _, ...formParameters } = parameters;
  const form = client.requirements.signed ? ([['request', 'REQUEST_OBJECT']] as const) : Object.entries(formParameters);
  const claims = client.requirements.signed ? parameters : null;
  return { request: clientRequest(client, 'push', form), link: null, claims };
}
