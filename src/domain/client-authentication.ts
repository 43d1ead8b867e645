import type { PublicKey } from './public-key.ts';
import type { ClientType, KeyId, SigningAlgorithm } from './values.ts';

/** The client authentication methods, by their registered names (RFC 8414 §2). Public clients send only their id. */
export const CLIENT_AUTHENTICATION_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
] as const;
export type ClientAuthenticationMethod = (typeof CLIENT_AUTHENTICATION_METHODS)[number];

const SECRET_METHODS: readonly ClientAuthenticationMethod[] = ['client_secret_basic', 'client_secret_post'];

/** A client's public key. */
export interface ClientKey {
  /** The thumbprint (RFC 7638). */
  readonly keyId: KeyId;
  /** The id that the client gave the key; null if the client gave it none. */
  readonly kid: string | null;
  /** The only algorithm that the key may be used with; null if any algorithm that fits it is allowed. */
  readonly algorithm: SigningAlgorithm | null;
  readonly publicKey: PublicKey;
}

/** The kinds of subjects for `tls_client_auth`: the names in RFC 8705 §2.1.2 without their common prefix. */
export const TLS_SUBJECT_KINDS = ['subject_dn', 'san_dns', 'san_uri', 'san_ip', 'san_email'] as const;

/** The subject of a client's certificates. */
export interface TlsSubject {
  readonly kind: (typeof TLS_SUBJECT_KINDS)[number];
  /** Distinguished names are in the format of RFC 4514. */
  readonly value: string;
}

/** How a client authenticates at the token endpoint and the other endpoints that require client authentication. */
export interface AuthenticationSettings {
  /** Never empty. */
  readonly methods: readonly ClientAuthenticationMethod[];
  /**
   * For `private_key_jwt`, `self_signed_tls_client_auth` and request objects. Contains the old and the new key during a
   * rotation.
   */
  readonly keys: readonly ClientKey[];
  /** The URL where the client publishes its keys (RFC 7591 §2, `jwks_uri`); null if they are in `keys`. */
  readonly keysUri: string | null;
  /** For `tls_client_auth`; null if the client does not use that method. */
  readonly tls: TlsSubject | null;
}

/** Returns the default settings: a secret in the header or the body, or no authentication for a public client. */
export function defaultAuthentication(clientType: ClientType): AuthenticationSettings {
  return { methods: clientType === 'public' ? ['none'] : SECRET_METHODS, keys: [], keysUri: null, tls: null };
}

/** Reports whether the client can authenticate with a secret. */
export function usesSecret({ methods }: { readonly methods: readonly string[] }): boolean {
  return SECRET_METHODS.some((method) => methods.includes(method));
}

/** Returns the algorithms that a key can be used with (RFC 7518 §3.1, RFC 8037 §3.1). */
export function algorithmsOf({ kty }: PublicKey): readonly SigningAlgorithm[] {
  if (kty === 'RSA') return ['PS256', 'RS256'];
  return kty === 'EC' ? ['ES256'] : ['EdDSA'];
}
