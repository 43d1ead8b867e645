import { clientRequest } from './authenticated-request.ts';
import type { Example, ExampleClient } from './example.ts';

type Parameters = Readonly<Record<string, string>>;

const LOGIN =
  'The same with the scope openid. The response to the code then contains an ID token, which says who logged in.';

/** The ways to ask a user: for access, and with OpenID Connect. */
export function authorizationExamples(client: ExampleClient): readonly Example[] {
  const { pushed } = client.requirements;
  const login = { scope: `openid profile email${client.sampleApi ? ' read' : ''}`, nonce: client.nonce };
  if (!pushed)
    return [
      {
        id: 'authorize',
        title: 'Authorization code: ask the user',
        explanation: 'The user is asked for access, and returns to the redirect URI with a code.',
        ...linkTo(client, requestOf(client, {})),
      },
      {
        id: 'login',
        title: 'OpenID Connect: log the user in',
        explanation: LOGIN,
        ...linkTo(client, requestOf(client, login)),
      },
    ];
  return [
    {
      id: 'push',
      title: 'Authorization code: push the request',
      explanation: 'The application sends its request to this server first (PAR). The response names the request.',
      ...pushedBy(client, requestOf(client, {})),
    },
    {
      id: 'push-login',
      title: 'OpenID Connect: push the request',
      explanation: LOGIN,
      ...pushedBy(client, requestOf(client, login)),
    },
    {
      id: 'authorize',
      title: 'Authorization code: ask the user',
      explanation: 'The address names the pushed request, which is kept for a minute. The user returns with a code.',
      ...addressOf({ client_id: client.clientId, request_uri: 'REQUEST_URI' }),
    },
  ];
}

function requestOf({ clientId, redirectUris, state, pkce }: ExampleClient, more: Parameters): Parameters {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUris[0] ?? 'REDIRECT_URI',
    ...more,
    state,
    code_challenge: pkce.challenge,
    code_challenge_method: pkce.method,
  };
}

type Target = Pick<Example, 'link' | 'request' | 'claims'>;

/** A signed request is in a JWT, of which these parameters are claims (RFC 9101 §5). */
function linkTo({ clientId, requirements }: ExampleClient, parameters: Parameters): Target {
  if (!requirements.signed) return addressOf(parameters);
  return { ...addressOf({ client_id: clientId, request: 'REQUEST_OBJECT' }), claims: parameters };
}

function addressOf(parameters: Parameters): Target {
  return { link: `/o/authorize/?${new URLSearchParams(parameters).toString()}`, request: null, claims: null };
}

function pushedBy(client: ExampleClient, parameters: Parameters): Target {
  const { client_id: _, ...own } = parameters;
  const form = client.requirements.signed ? ([['request', 'REQUEST_OBJECT']] as const) : Object.entries(own);
  const claims = client.requirements.signed ? parameters : null;
  return { request: clientRequest(client, 'push', form), link: null, claims };
}
