import type { AccessTokenFormat, ClientId, SigningAlgorithm, UserId } from './values.ts';

/** A scope that a resource server defines, as the consent page describes it. */
export interface DefinedScope {
  readonly name: string;
  readonly description: string;
}

/** A type of authorization details that only this resource server declares (RFC 9396 §2). */
export interface DetailType {
  readonly type: string;
  /** The JSON Schema of such details, as JSON. */
  readonly schema: string;
  /** A sentence for users about the access that a detail grants. Paths in braces are replaced by its members. */
  readonly sentence: string;
}

/** The settings of a resource server that can be changed: all except its URI. */
export interface ResourceServerSettings {
  readonly name: string;
  /** The user who manages the resource server; null if only administrators do. */
  readonly ownerId: UserId | null;
  /** The only scopes of tokens for the resource server. If the list is empty, tokens have all granted scopes. */
  readonly scopes: readonly DefinedScope[];
  /** Overrides the format in the client's registration, as does the algorithm; null keeps the client's setting. */
  readonly accessTokenFormat: AccessTokenFormat | null;
  readonly accessTokenAlgorithm: SigningAlgorithm | null;
  /** Shortens the lifetime of access tokens; null keeps the server's setting. */
  readonly accessTokenLifetimeSeconds: number | null;
  /** Whether the authorization server publishes the resource server's metadata (RFC 9728). */
  readonly publishesMetadata: boolean;
  /** The types of authorization details that it declares; absent if there are none. */
  readonly detailTypes?: readonly DetailType[] | undefined;
  /**
   * The only client that introspects for the resource server and sees details of its types. Absent if there is none.
   */
  readonly introspectionClient?: ClientId | undefined;
}
