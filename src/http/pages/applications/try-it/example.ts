import type { ClientType, RegisteredGrant } from '../../../../domain/values.ts';
import type { Message } from '../../../../language/message.ts';
import type { ExampleRequest } from './example-request.ts';
import type { PkcePair } from './pkce.ts';
import type { ExampleRequirements } from './requirements.ts';

/** An example request that a client sends, or a link that a user opens. */
export interface Example {
  readonly id: ExampleId;
  readonly title: Message;
  readonly explanation: Message;
  /** The request to send. Null for a link. */
  readonly request: ExampleRequest | null;
  /** The path on this server to open, with its query. Null for a request. */
  readonly link: string | null;
  /**
   * The parameters in the request object of an authorization request (RFC 9101). Null if the request has no request
   * object.
   */
  readonly claims: Readonly<Record<string, string>> | null;
}

export type ExampleId =
  | 'push'
  | 'push-login'
  | 'authorize'
  | 'login'
  | 'exchange'
  | 'client-credentials'
  | 'password'
  | 'device'
  | 'device-token'
  | 'token-exchange'
  | 'jwt-bearer'
  | 'refresh'
  | 'userinfo'
  | 'api'
  | 'introspect'
  | 'revoke';

/** The values that the examples depend on, from the application, the server and the page. */
export interface ExampleClient {
  /** The issuer, without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientType: ClientType;
  readonly grants: readonly RegisteredGrant[];
  /** The registered redirect URIs. The examples use the first one. */
  readonly redirectUris: readonly string[];
  /** Generated for each page, as are `state` and `nonce`. */
  readonly pkce: PkcePair;
  readonly state: string;
  /** For the requests with OpenID Connect. */
  readonly nonce: string;
  /** Whether the sample API is enabled. */
  readonly sampleApi: boolean;
  readonly requirements: ExampleRequirements;
  /** The base URL for requests with a certificate; null if it is the issuer. */
  readonly mtlsBase: string | null;
}
