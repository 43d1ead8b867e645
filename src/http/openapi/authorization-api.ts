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
        'The id of the application. With the `clientDocuments` setting, this can be the https URL of a metadata ' +
          'document (OAuth Client ID Metadata Document).',
        VALUE,
        true,
      ),
      queryParameter(
        'request_uri',
        'The URI of a pushed request, or a registered URI. Replaces all parameters except `client_id`.',
      ),
      queryParameter('request', 'All other parameters, as a signed JWT (RFC 9101).'),
      ...authorizationParameters(),
    ],
    responses: {
      200: {
        description: 'The consent page or, in the `form_post` modes, a page that posts the response to the client.',
        content: PAGE,
      },
      302: {
        description:
          'A redirect to the login page, or to the redirect URI with `code` or `error`, `state` and `iss`. In the ' +
          '`jwt` modes, the `response` JWT contains these parameters.',
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
 * Returns the parameters of an authorization request, except `client_id`. `response_type` is not marked as required,
 * because it can be in the request object instead.
 */
function authorizationParameters(): readonly Parameter[] {
  return [
    queryParameter('response_type', 'The requested response. Required, except if the request object contains it.', {
      const: 'code',
    }),
    queryParameter('redirect_uri', 'A registered URI. May be omitted if exactly one is registered.', {
      ...VALUE,
      format: 'uri',
    }),
    queryParameter('scope', 'Scope names, separated by spaces.'),
    queryParameter('state', 'Returned unchanged.', { ...VALUE, maxLength: 4096 }),
    queryParameter('code_challenge', 'The PKCE code challenge (RFC 7636).', {
      type: 'string',
      pattern: '^[A-Za-z0-9_.~-]{43,128}$',
    }),
    queryParameter('dpop_jkt', 'The thumbprint of the key to which the code is bound (RFC 9449 §10).', {
      type: 'string',
      pattern: '^[A-Za-z0-9_-]{43}$',
    }),
    queryParameter(
      'code_challenge_method',
      'The method that derived the challenge from the verifier. The server metadata lists the accepted methods.',
      {
        enum: ['S256', 'plain'],
      },
    ),
    queryParameter('response_mode', 'The way to return the response. The modes that contain `jwt` sign it.', {
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
      'With `auto`, earlier consent is sufficient. With any other value, the user is asked again. The ' +
        '`approvalPrompt` setting contains the default.',
      { ...VALUE, examples: ['auto', 'force'] },
    ),
    queryParameter('nonce', 'Returned in the ID token (OpenID Connect).', { ...VALUE, maxLength: 512 }),
    queryParameter('authorization_details', 'Access that a scope cannot describe, as JSON (RFC 9396).', {
      ...VALUE,
      maxLength: 4096,
    }),
    queryParameter('claims', 'Individual claims, as JSON (OpenID Connect Core §5.5).', { ...VALUE, maxLength: 4096 }),
    queryParameter('id_token_hint', 'An earlier ID token for the user who should log in.'),
    queryParameter('login_hint', 'A user name for the login page.'),
    queryParameter('acr_values', 'The accepted login classes, separated by spaces: any of `pwd`, `mfa` and `phr`.'),
    queryParameter('display', 'Ignored: the pages adapt to every screen size.'),
    queryParameter(
      'ui_locales',
      'The languages that the user prefers, such as “de en”. A language that the user has chosen in the browser ' +
        'takes precedence.',
    ),
    queryParameter('claims_locales', 'Ignored: claims are returned as users entered them.'),
    queryParameter('grant_management_action', 'The action on a managed grant.', {
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
