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
  /** Null for a link. */
  readonly request: ExampleRequest | null;
  /** A path on this server, with a query. Null for a request. */
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

/** The application, server and page values that the examples depend on. */
export interface ExampleClient {
  /** The issuer, without a trailing slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientType: ClientType;
  readonly grants: readonly RegisteredGrant[];
  /** The registered redirect URIs. The examples use the first one. */
  readonly redirectUris: readonly string[];
  /** Generated for each page, like `state`. */
  readonly pkce: PkcePair;
  readonly state: string;
  /** For the requests with OpenID Connect; also generated for each page. */
  readonly nonce: string;
  /** Whether the sample API is enabled. */
  readonly sampleApi: boolean;
  readonly requirements: ExampleRequirements;
  /** The base URL for requests with a certificate; null if it is the issuer. */
  readonly mtlsBase: string | null;
}
