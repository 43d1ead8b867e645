import {
  CLIENT_ERRORS,
  NO_CACHE,
  bodyContent,
  COMMON,
  CREDENTIALS,
  DETAILS,
  RESOURCE,
  SCOPE,
  type BodyOptions,
} from './oauth-api.ts';
import type { Operation, Schema } from './operation.ts';
import { json, object, STRING } from './shared-responses.ts';

// The device authorization endpoint: see http/protocol/device-authorization.ts.

const REQUEST: Schema = {
  title: 'DeviceAuthorizationRequest',
  type: 'object',
  properties: { scope: SCOPE, resource: RESOURCE, authorization_details: DETAILS, ...CREDENTIALS },
};

const URI: Schema = { type: 'string', format: 'uri' };

const RESPONSE: Schema = {
  title: 'DeviceAuthorization',
  ...object({
    device_code: STRING,
    user_code: { type: 'string', pattern: '^[A-Z]{4}-[A-Z]{4}$' },
    verification_uri: URI,
    verification_uri_complete: URI,
    expires_in: { type: 'integer', minimum: 1, description: 'The lifetime of the codes, in seconds.' },
    interval: { type: 'integer', minimum: 1, description: 'The minimum time between token requests, in seconds.' },
  }),
};

/** Returns the operation of the device authorization endpoint (RFC 8628). */
export function deviceAuthorizationOperation(options: BodyOptions): Operation {
  return {
    ...COMMON,
    path: '/o/device_authorization/',
    id: 'authorizeDevice',
    summary: 'Get a code for a device (RFC 8628 §3.1)',
    description: 'The user enters the user code in a browser, while the device polls for tokens.',
    body: bodyContent(REQUEST, options),
    responses: { 200: { description: 'The codes.', headers: NO_CACHE, content: json(RESPONSE) }, ...CLIENT_ERRORS },
  };
}
