import type { Operation } from './openapi/operation.ts';

/**
 * Whom an endpoint serves, and so how its errors are written:
 * - `protocol`: clients and auditors, in JSON; a wrong method is refused in the words of RFC 6749 §5.2
 * - `api`: programs, in JSON
 * - `document`: a document that is the same for everybody; errors as for `api`
 * - `page`: people, as a page, or in JSON if they prefer it
 */
export type EndpointKind = 'protocol' | 'api' | 'document' | 'page';

/**
 * How the caller authenticates:
 * - `client`: as a client (RFC 6749 §2.3), after the body has been read; all errors are those of RFC 6749 §5.2
 * - `bearer`: with an access token, or not at all; a policy decides
 * - `session`: with the session of a browser; a form needs its CSRF token
 */
export type Authentication = 'client' | 'bearer' | 'session' | 'none';

/** Which scripts of other origins may read the responses (CORS). */
export interface CorsRule {
  /** `clients`: the allowed origins of any client, and of the authenticated client alone once it is known. */
  readonly origins: 'any' | 'clients';
  /** The value of `Access-Control-Allow-Methods`. */
  readonly methods: string;
}

/** The properties of an endpoint, apart from its handlers. */
export interface Endpoint {
  /** A `GET` route answers HEAD too. An `ANY` route takes every method: see `byMethod`. */
  readonly method: 'GET' | 'POST' | 'ANY';
  /** In the notation of path-to-regexp. It is case-sensitive, and matches with and without a last slash. */
  readonly path: string;
  readonly kind: EndpointKind;
  readonly authentication: Authentication;
  /** Left out: no script of another origin may read a response. */
  readonly cors?: CorsRule;
  /** Its operations in the OpenAPI document. Pages have none. */
  readonly openApi?: readonly Operation[];
  /** Whether machines of the operator request it all the time, so that it is logged at level `debug`. */
  readonly isPolled?: boolean;
  /** Whether its requests do not count toward the limit on one user's changes: they have their own or need none. */
  readonly isExemptFromChangeLimit?: boolean;
}
