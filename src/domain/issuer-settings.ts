import type { ClientKey } from './client-authentication.ts';
import type { ClientId, IssuerUse, UserId } from './values.ts';

/** A claim that a JWT must have, with exactly this value. */
export interface RequiredClaim {
  /** The name of the claim, or, if it begins with `/`, a JSON Pointer (RFC 6901) to a member of one. */
  readonly name: string;
  /** Of a text; numbers and booleans are compared as JSON writes them. */
  readonly value: string;
}

/** The account here that the subject of a JWT is. */
export type SubjectMapping =
  /** The user with the name that this claim contains. */
  | { readonly by: 'user-name'; readonly claim: string }
  /** The user who has verified the address in `email`, if the issuer states that it has, too. */
  | { readonly by: 'verified-email' }
  /** The users in the table. The hashes of subjects are keyed, because a subject can be an address. */
  | {
      readonly by: 'table';
      readonly entries: readonly { readonly subjectHash: string; readonly userId: UserId }[];
    }
  /** No user: the JWT is of a program, which acts as the client that presents it. */
  | { readonly by: 'client' };

/** Another server whose JWTs are accepted here, and what for. */
export interface TrustedIssuerSettings {
  /** Its public keys; empty if it publishes them. */
  readonly keys: readonly ClientKey[];
  /** Where it publishes its keys; null if they are in `keys`. */
  readonly keysUri: string | null;
  /** One of these must be an audience of each JWT. Null for our issuer and the address of the token endpoint. */
  readonly audience: readonly string[] | null;
  /** At least one. */
  readonly uses: readonly IssuerUse[];
  readonly requiredClaims: readonly RequiredClaim[];
  readonly subject: SubjectMapping;
  /** At least one: those that may present its JWTs, each with claims that its JWTs must have besides. */
  readonly clients: readonly { readonly clientId: ClientId; readonly requiredClaims: readonly RequiredClaim[] }[];
  /** Tokens have no other scopes. At least one. */
  readonly scope: readonly string[];
  /** Tokens are for no other resource servers. Null for no limit; never empty. */
  readonly resources: readonly string[] | null;
  /** Tokens live no longer. */
  readonly maxTokenLifetimeSeconds: number;
  /** A JWT was issued no longer ago, and is valid no longer from now on. */
  readonly maxAssertionAgeSeconds: number;
}
