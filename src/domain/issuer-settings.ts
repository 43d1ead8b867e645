import type { ClientKey } from './client-authentication.ts';
import type { ClientId, IssuerUse, UserId } from './values.ts';

/** A claim that a JWT must have, with exactly this value. */
export interface RequiredClaim {
  /** The name of the claim, or, if it begins with `/`, a JSON Pointer (RFC 6901) to a member of a claim. */
  readonly name: string;
  /** Compared with a string claim, or with the JSON form of a number or boolean. */
  readonly value: string;
}

/** How the subject of a JWT is mapped to an account. */
export type SubjectMapping =
  /** The user whose user name is the value of `claim`. */
  | { readonly by: 'user-name'; readonly claim: string }
  /** The user who has verified the address in `email`, if the issuer asserts that it is verified as well. */
  | { readonly by: 'verified-email' }
  /** The users in the table. Subjects are hashed with a key, because a subject may be an e-mail address. */
  | {
      readonly by: 'table';
      readonly entries: readonly { readonly subjectHash: string; readonly userId: UserId }[];
    }
  /** The subject is not a user: the client that presents the JWT acts on its own behalf. */
  | { readonly by: 'client' };

/** Another server whose JWTs are accepted here, and the limits on their use. */
export interface TrustedIssuerSettings {
  /** The issuer's public keys; empty if the issuer publishes them. */
  readonly keys: readonly ClientKey[];
  /** The URL where the issuer publishes its keys; null if they are in `keys`. */
  readonly keysUri: string | null;
  /**
   * The accepted audiences: each JWT must name at least one of them. Null if they are this server's issuer identifier
   * and the URL of its token endpoint.
   */
  readonly audience: readonly string[] | null;
  /** The accepted uses of the JWTs; never empty. */
  readonly uses: readonly IssuerUse[];
  readonly requiredClaims: readonly RequiredClaim[];
  readonly subject: SubjectMapping;
  /** The clients that may present the issuer's JWTs, each with its additional required claims; never empty. */
  readonly clients: readonly { readonly clientId: ClientId; readonly requiredClaims: readonly RequiredClaim[] }[];
  /** The maximum scope of tokens; never empty. */
  readonly scope: readonly string[];
  /** The resource servers to which tokens are restricted, never empty; null if tokens are unrestricted. */
  readonly resources: readonly string[] | null;
  /** The maximum lifetime of tokens. */
  readonly maxTokenLifetimeSeconds: number;
  /** The maximum age of a JWT, and the maximum remaining time until it expires. */
  readonly maxAssertionAgeSeconds: number;
}
