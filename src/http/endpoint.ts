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
 * How the caller authenticates:
 * - `client`: as a client (RFC 6749 §2.3) or with a token, in the steps of the route. Errors have the format of RFC
 *   6749 §5.2, except for 404 and the responses of policies and of `byMethod`.
 * - `bearer`: with an access token, or not at all. A policy decides.
 * - `session`: with a browser's session. Forms need its CSRF token.
 * - `none`: not at all.
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
  /** Without it, scripts from other origins cannot read the responses. */
  readonly cors?: CorsRule;
  /** Its operations in the OpenAPI document. The only pages with operations are those that clients send users to. */
  readonly openApi?: readonly Operation[];
  /** Whether its form contains a file, and is therefore encoded as `multipart/form-data`: see `readUpload`. */
  readonly takesFile?: boolean;
  /** Whether its errors have a code and a description, like those of RFC 6749 §5.2. */
  readonly hasErrorCodes?: boolean;
  /** Whether monitoring systems or pages request it so often that its requests are logged at level `debug`. */
  readonly isPolled?: boolean;
  /** Whether its forms are exempt from the limit on a user's changes: see `limitChanges`. */
  readonly isExemptFromChangeLimit?: boolean;
}
