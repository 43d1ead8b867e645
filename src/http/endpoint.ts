import type { Operation } from './openapi/operation.ts';

/**
 * The kind of caller that an endpoint serves, which determines the format of its errors:
 * - `protocol`: clients and auditors. JSON; a method without a route gets an error in the format of RFC 6749 §5.2.
 * - `api`: other API clients. JSON.
 * - `document`: readers of a public document. Errors as for `api`.
 * - `page`: users. A page, or JSON if the request prefers it.
 */
export type EndpointKind = 'protocol' | 'api' | 'document' | 'page';

/**
 * The credentials that identify the caller:
 * - `client`: client credentials (RFC 6749 §2.3) or a token, which the steps of the route check. Errors have the format
 *   of RFC 6749 §5.2, except for 404 and the responses of policies and of `byMethod`.
 * - `bearer`: an access token. A policy decides whether the caller needs one.
 * - `session`: a browser's session. Forms also need the session's CSRF token.
 * - `none`: no credentials.
 */
export type Authentication = 'client' | 'bearer' | 'session' | 'none';

/** The origins, besides this server's own, whose scripts may read the responses (CORS). */
export interface CorsRule {
  /**
   * `clients`: the allowed origins of all clients until the client has been identified, then only the origins of that
   * client.
   */
  readonly origins: 'any' | 'clients';
  /** The value of `Access-Control-Allow-Methods`. */
  readonly methods: string;
}

/** The properties of an endpoint, apart from its handlers. */
export interface Endpoint {
  /** A `GET` route also handles HEAD. An `ANY` route handles every method: see `byMethod`. */
  readonly method: 'GET' | 'POST' | 'ANY';
  /** In path-to-regexp syntax. Case-sensitive; a trailing slash is optional. */
  readonly path: string;
  readonly kind: EndpointKind;
  readonly authentication: Authentication;
  /** If absent, scripts from other origins cannot read the responses. */
  readonly cors?: CorsRule;
  /** The operations in the OpenAPI document. Only pages to which clients send users have operations. */
  readonly openApi?: readonly Operation[];
  /** Whether the form contains a file, and is therefore encoded as `multipart/form-data`: see `readUpload`. */
  readonly takesFile?: boolean;
  /** Whether errors have a code and a description, as in RFC 6749 §5.2. */
  readonly hasErrorCodes?: boolean;
  /** Whether monitoring systems or pages send so many requests that they are logged at level `debug`. */
  readonly isPolled?: boolean;
  /** Whether forms are exempt from the limit on a user's changes: see `limitChanges`. */
  readonly isExemptFromChangeLimit?: boolean;
}
