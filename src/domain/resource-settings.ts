import type { AccessTokenFormat, ClientId, SigningAlgorithm, UserId } from './values.ts';

/** A scope that a resource server defines, as the consent page describes it. */
export interface DefinedScope {
  readonly name: string;
  readonly description: string;
}

/** A type of authorization details that a resource server declares (RFC 9396 §2). No other one declares it. */
export interface DetailType {
  readonly type: string;
  /** The JSON Schema of such details, as JSON. */
  readonly schema: string;
  /** Tells users what a detail allows. Members of the detail replace their paths in braces. */
  readonly sentence: string;
}

/** What can be changed about a resource server. Its URI cannot. */
export interface ResourceServerSettings {
  readonly name: string;
  /** The user who manages it; null if only administrators do. */
  readonly ownerId: UserId | null;
  /** A token for it has no other scopes. If there are none, it has all that were granted. */
  readonly scopes: readonly DefinedScope[];
  /** Replaces the format and the algorithm of the client's registration; null for those of the client. */
  readonly accessTokenFormat: AccessTokenFormat | null;
  readonly accessTokenAlgorithm: SigningAlgorithm | null;
  /** Shortens the lifetime of access tokens; null for that of the server. */
  readonly accessTokenLifetimeSeconds: number | null;
  /** Whether this server publishes its metadata (RFC 9728). */
  readonly publishesMetadata: boolean;
  /** Absent if there are none. */
  readonly detailTypes?: readonly DetailType[] | undefined;
  /** The client with which it introspects: only that one is shown details of its types. Absent if it names none. */
  readonly introspectionClient?: ClientId | undefined;
}
