import type { AccessTokenFormat, ClientId, SigningAlgorithm, UserId } from './values.ts';

/** A scope that a resource server defines, as described on the consent page. */
export interface DefinedScope {
  readonly name: string;
  readonly description: string;
}

/**
 * A type of authorization details that a resource server declares (RFC 9396 §2). A type declared by two servers is
 * ignored.
 */
export interface DetailType {
  readonly type: string;
  /** The JSON Schema for details of this type, as JSON text. */
  readonly schema: string;
  /** Tells users what access the details grant. A path in braces is replaced by the value at that path. */
  readonly sentence: string;
}

/** The resource server settings that can be changed: all except the URI. */
export interface ResourceServerSettings {
  readonly name: string;
  /** The user who manages the resource server; null if only administrators do. */
  readonly ownerId: UserId | null;
  /**
   * The scopes that a token for this resource server may have; empty if there is no restriction. A token for several
   * resource servers may have the scopes of any of them.
   */
  readonly scopes: readonly DefinedScope[];
  /** Overrides the access token format registered for the client; null keeps it. */
  readonly accessTokenFormat: AccessTokenFormat | null;
  /** Overrides the signing algorithm registered for the client; null keeps it. */
  readonly accessTokenAlgorithm: SigningAlgorithm | null;
  /** Caps the lifetime of access tokens; null leaves the authorization server's setting as the limit. */
  readonly accessTokenLifetimeSeconds: number | null;
  /** Whether the authorization server publishes the resource server's metadata (RFC 9728). */
  readonly publishesMetadata: boolean;
  /** The types of authorization details that the resource server declares, if any. */
  readonly detailTypes?: readonly DetailType[] | undefined;
  /**
   * The client that the resource server introspects tokens with, if any. If it is set, only this
   * client and the client that a token was issued to see details of the server's types.
   */
  readonly introspectionClient?: ClientId | undefined;
}
