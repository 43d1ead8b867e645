import { TOKEN_TYPES } from '../../oauth/exchange/token-types.ts';
import { DEVICE_GRANT_TYPE } from '../../oauth/grant-types/device-code.ts';
import { JWT_BEARER_GRANT_TYPE } from '../../oauth/grant-types/jwt-bearer.ts';
import { TOKEN_EXCHANGE_GRANT_TYPE } from '../../oauth/grant-types/token-exchange.ts';
import {
  bodyContent,
  CLIENT_ERRORS,
  COMMON,
  CREDENTIALS,
  DETAILS,
  NO_CACHE,
  NONCE,
  RESOURCE,
  SCOPE,
  SECRET,
  VALUE,
  type BodyOptions,
} from './oauth-api.ts';
import type { Operation, Schema } from './operation.ts';
import { arrayOf, json, object, STRING } from './shared-responses.ts';

// The token endpoint: see http/protocol/token.ts.

const TOKEN_RESPONSE: Schema = {
  title: 'TokenResponse',
  ...object(
    {
      access_token: STRING,
      expires_in: { type: 'integer', minimum: 1, description: 'The lifetime of the access token, in seconds.' },
      token_type: { enum: ['Bearer', 'DPoP'] },
      scope: { ...STRING, description: 'The granted scope. A user may have granted less than the client requested.' },
      refresh_token: STRING,
      id_token: { ...STRING, description: 'Present if the granted scope contains `openid`.' },
      authorization_details: arrayOf({ type: 'object' }),
      grant_id: {
        ...STRING,
        description: 'Present if the authorization request contained `grant_management_action`.',
      },
      issued_token_type: { ...STRING, format: 'uri', description: 'Present after a token exchange (RFC 8693 §2.2.1).' },
    },
    ['access_token', 'expires_in', 'token_type', 'scope'],
  ),
};

/** The grant types that refuse authorization details, because no user has consented to them. */
const WITHOUT_DETAILS: readonly string[] = ['password', JWT_BEARER_GRANT_TYPE];

function tokenRequestSchema(
  title: string,
  grantType: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): Schema {
  return {
    title,
    type: 'object',
    properties: {
      grant_type: { const: grantType },
      ...properties,
      resource: RESOURCE,
      ...(WITHOUT_DETAILS.includes(grantType) ? {} : { authorization_details: DETAILS }),
      ...CREDENTIALS,
    },
    required: ['grant_type', ...required],
  };
}

/** A token type identifier (RFC 8693 §3). */
const TOKEN_TYPE: Schema = { enum: Object.values(TOKEN_TYPES) };

/** The schemas of token requests, by `grant_type`. */
const TOKEN_REQUESTS: Readonly<Record<string, Schema>> = {
  authorization_code: tokenRequestSchema(
    'AuthorizationCodeRequest',
    'authorization_code',
    {
      code: SECRET,
      redirect_uri: {
        ...VALUE,
        description: 'The redirect URI of the authorization request. Required if that request contained it.',
      },
      code_verifier: { ...SECRET, description: 'The PKCE code verifier (RFC 7636): printable ASCII.', maxLength: 256 },
    },
    ['code'],
  ),
  client_credentials: tokenRequestSchema('ClientCredentialsRequest', 'client_credentials', { scope: SCOPE }, []),
  password: tokenRequestSchema('PasswordRequest', 'password', { username: VALUE, password: SECRET, scope: SCOPE }, [
    'username',
    'password',
  ]),
  [DEVICE_GRANT_TYPE]: tokenRequestSchema('DeviceCodeRequest', DEVICE_GRANT_TYPE, { device_code: SECRET }, [
    'device_code',
  ]),
  [TOKEN_EXCHANGE_GRANT_TYPE]: tokenRequestSchema(
    'TokenExchangeRequest',
    TOKEN_EXCHANGE_GRANT_TYPE,
    {
      subject_token: { ...SECRET, description: 'The token of the party on whose behalf the request is made.' },
      subject_token_type: TOKEN_TYPE,
      actor_token: { ...SECRET, description: 'The token of the acting party, for delegation.' },
      actor_token_type: TOKEN_TYPE,
      requested_token_type: { enum: [TOKEN_TYPES.accessToken, TOKEN_TYPES.jwt] },
      scope: {
        ...VALUE,
        description: 'At most the scopes that the subject token, the actor token and the exchange policy all allow.',
      },
      audience: { ...RESOURCE, description: 'Has the same effect as `resource` (RFC 8693 §2.1).' },
    },
    ['subject_token', 'subject_token_type'],
  ),
  [JWT_BEARER_GRANT_TYPE]: tokenRequestSchema(
    'JwtBearerRequest',
    JWT_BEARER_GRANT_TYPE,
    {
      assertion: { ...SECRET, description: 'A single-use JWT from a trusted issuer (RFC 7523 §2.1).' },
      scope: {
        ...VALUE,
        description: 'At most the scopes that the issuer’s registration and the assertion both allow.',
      },
    },
    ['assertion'],
  ),
  refresh_token: tokenRequestSchema(
    'RefreshRequest',
    'refresh_token',
    { refresh_token: SECRET, scope: { ...VALUE, description: 'At most the granted scope.' } },
    ['refresh_token'],
  ),
};

export function tokenOperation(options: BodyOptions & { readonly grantTypes: readonly string[] }): Operation {
  return {
    ...COMMON,
    path: '/o/token/',
    id: 'issueToken',
    summary: 'Get an access token (RFC 6749 §3.2)',
    description: 'A proof in the `DPoP` header binds the tokens to the key of the proof (RFC 9449).',
    body: bodyContent({ oneOf: options.grantTypes.flatMap((name) => TOKEN_REQUESTS[name] ?? []) }, options),
    responses: {
      200: { description: 'The tokens.', headers: { ...NO_CACHE, ...NONCE }, content: json(TOKEN_RESPONSE) },
      ...CLIENT_ERRORS,
    },
  };
}
