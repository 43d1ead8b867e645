import { MANAGEMENT_ACTIONS } from '../../domain/values.ts';
import { RESPONSE_MODES } from '../../oauth/endpoints/response-modes.ts';
import {
  bodyContent,
  CLIENT_ERRORS,
  COMMON,
  CREDENTIALS,
  NO_CACHE,
  NONCE,
  VALUE,
  type BodyOptions,
} from './oauth-api.ts';
import type { Content, Operation, Parameter, Schema } from './operation.ts';
import { arrayOf, BAD_REQUEST, header, json, object, SERVER_ERRORS, STRING } from './shared-responses.ts';

// The authorization endpoint, and pushed requests: see http/pages/authorize and http/protocol/pushed-request.ts.

function queryParameter(name: string, description: string, schema: Schema = VALUE, required = false): Parameter {
  return { name, in: 'query', description, schema, ...(required ? { required } : {}) };
}

const PAGE: Content = { 'text/html': { schema: STRING } };

/** Returns the operation of the authorization endpoint (RFC 6749 §3.1). */
export function authorizeOperation(): Operation {
  return {
    method: 'GET',
    path: '/o/authorize/',
    id: 'authorize',
    tag: 'OAuth',
    publicSecurity: [],
    summary: 'Send users here for an authorization code (RFC 6749 §3.1)',
    description: 'For browsers, not for API clients. Users log in, if necessary, and give consent.',
    parameters: [
      queryParameter(
        'client_id',
        'The id of the application or, with the `clientDocuments` setting, the https URL of the document that ' +
          'describes it (OAuth Client ID Metadata Document).',
        VALUE,
        true,
      ),
      queryParameter('request_uri', 'From a pushed request, or a registered URI. Replaces all other parameters.'),
      queryParameter('request', 'All other parameters, as a signed JWT (RFC 9101).'),
      ...authorizationParameters(),
    ],
    responses: {
      200: { description: 'The consent page.', content: PAGE },
      302: {
        description:
          'A redirect to the redirect URI, with `code` or `error`, `state` and `iss`, or with all of these in the ' +
          '`response` JWT; or a redirect to the login page.',
        headers: { Location: header('The URL to go to next.', { type: 'string', format: 'uri-reference' }) },
        content: { ...PAGE, 'text/plain': { schema: STRING } },
      },
      400: {
        ...BAD_REQUEST,
        description:
          'The client or its redirect URI is unknown, or its metadata document cannot be used. The browser is not ' +
          'redirected.',
        content: { ...PAGE, ...BAD_REQUEST.content },
      },
      ...SERVER_ERRORS,
    },
  };
}

/**
 * Returns the parameters of an authorization request, except `client_id`. `response_type` is required in the query or
 * in the request object.
 */
function authorizationParameters(): readonly Parameter[] {
  return [
    queryParameter('response_type', 'The requested response. Required, here or in the request object.', {
      const: 'code',
    }),
    queryParameter('redirect_uri', 'A registered URI. May be omitted if exactly one is registered.', {
      ...VALUE,
      format: 'uri',
    }),
    queryParameter('scope', 'Names, separated by spaces.'),
    queryParameter('state', 'Returned unchanged.', { ...VALUE, maxLength: 4096 }),
    queryParameter('code_challenge', 'The PKCE code challenge (RFC 7636).', {
      type: 'string',
      pattern: '^[A-Za-z0-9_.~-]{43,128}$',
    }),
    queryParameter('dpop_jkt', 'The thumbprint of the key that will redeem the code (RFC 9449 §10).', {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{43}$',
    }),
    queryParameter(
      'code_challenge_method',
      'How the challenge was derived from the verifier. The metadata lists the accepted methods.',
      {
        enum: ['S256', 'plain'],
      },
    ),
    queryParameter('response_mode', 'How the response reaches the application; `.jwt` signs it.', {
      enum: RESPONSE_MODES,
    }),
    queryParameter('prompt', '`none`, or any of `login`, `consent` and `select_account`.'),
    queryParameter('max_age', 'The maximum age of the login, in seconds.', {
      type: 'integer',
      minimum: 0,
      maximum: 9_999_999_999,
    }),
    queryParameter(
      'approval_prompt',
      'With `auto`, earlier consent is enough. With any other value, the user is asked again. The default is a ' +
        'setting.',
      { ...VALUE, examples: ['auto', 'force'] },
    ),
    queryParameter('nonce', 'Returned in the ID token (OpenID Connect).', { ...VALUE, maxLength: 512 }),
    queryParameter('authorization_details', 'Access that a scope cannot describe, as JSON (RFC 9396).', {
      ...VALUE,
      maxLength: 4096,
    }),
    queryParameter('claims', 'Individual claims, as JSON (OpenID Connect Core §5.5).', { ...VALUE, maxLength: 4096 }),
    queryParameter('id_token_hint', 'An earlier ID token about the user who should log in.'),
    queryParameter('login_hint', 'A user name for the login page.'),
    queryParameter('acr_values', 'The accepted classes of login: `pwd`, `mfa`, `phr`.'),
    queryParameter('display', 'Ignored: the pages adapt to every size.'),
    queryParameter(
      'ui_locales',
      'The languages that the user prefers, such as “de en”. A language that the user chose in this browser takes ' +
        'precedence.',
    ),
    queryParameter('claims_locales', 'Ignored: claims are returned as users entered them.'),
    queryParameter('grant_management_action', 'The action on a grant that the client manages by its id.', {
      enum: MANAGEMENT_ACTIONS,
    }),
    queryParameter('grant_id', 'The grant to replace, or to merge with.', {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{22}$',
    }),
    queryParameter(
      'resource',
      'The resource servers that the tokens are for (RFC 8707).',
      arrayOf({ ...VALUE, format: 'uri' }),
    ),
  ];
}

/** Returns the operation of the endpoint for pushed authorization requests (RFC 9126). */
export function pushedRequestOperation(options: BodyOptions): Operation {
  const parameters = authorizationParameters();
  const properties = parameters.map(({ name, description, schema }) => [name, { ...schema, description }] as const);
  const request = { ...VALUE, description: 'All other parameters, as a signed JWT (RFC 9101).' };
  return {
    ...COMMON,
    path: '/o/par/',
    id: 'pushAuthorizationRequest',
    summary: 'Push an authorization request (RFC 9126)',
    description: 'Then send the user to `/o/authorize/` with `client_id` and `request_uri`.',
    body: bodyContent(
      {
        title: 'PushedAuthorizationRequest',
        type: 'object',
        properties: { ...Object.fromEntries(properties), request, ...CREDENTIALS },
      },
      options,
    ),
    responses: {
      201: {
        description: 'The request is valid.',
        headers: { ...NO_CACHE, ...NONCE },
        content: json({
          title: 'PushedAuthorizationResponse',
          ...object(
            {
              request_uri: { ...STRING, description: 'Valid for one authorization.' },
              expires_in: { type: 'integer', description: 'The lifetime of `request_uri`, in seconds.' },
            },
            ['request_uri', 'expires_in'],
          ),
        }),
      },
      ...CLIENT_ERRORS,
    },
  };
}
