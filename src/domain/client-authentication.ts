import type { PublicKey } from './public-key.ts';
import type { ClientType, KeyId, SigningAlgorithm } from './values.ts';

/** How clients can authenticate, by the names of RFC 8414 §2. Public clients only state their id: `none`. */
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

/** A public key of a client. */
export interface ClientKey {
  /** The thumbprint (RFC 7638). */
  readonly keyId: KeyId;
  /** The id that the client gave it; null for none. */
  readonly kid: string | null;
  /** The only algorithm that it may be used with; null for any that fits the key. */
  readonly algorithm: SigningAlgorithm | null;
  readonly publicKey: PublicKey;
}

/** The kinds of subjects that `tls_client_auth` expects, by the end of their names in RFC 8705 §2.1.2. */
export const TLS_SUBJECT_KINDS = ['subject_dn', 'san_dns', 'san_uri', 'san_ip', 'san_email'] as const;

/** The subject of a client's certificates. */
export interface TlsSubject {
  readonly kind: (typeof TLS_SUBJECT_KINDS)[number];
  /** A distinguished name has the form of RFC 4514. */
  readonly value: string;
}

/** How a client authenticates at the token, revocation and introspection endpoint. */
export interface AuthenticationSettings {
  /** At least one. */
  readonly methods: readonly ClientAuthenticationMethod[];
  /**
   * For `private_key_jwt`, `self_signed_tls_client_auth` and request objects. During a rotation, the old and the new
   * key.
   */
  readonly keys: readonly ClientKey[];
  /** Where the client publishes its keys (RFC 7591 §2, `jwks_uri`); null if they are registered in `keys`. */
  readonly keysUri: string | null;
  /** For `tls_client_auth`; null without it. */
  readonly tls: TlsSubject | null;
}

/** The settings of a client that states none: a secret, sent in either way, or nothing for a public client. */
export function defaultAuthentication(clientType: ClientType): AuthenticationSettings {
  return { methods: clientType === 'public' ? ['none'] : SECRET_METHODS, keys: [], keysUri: null, tls: null };
}

/** Whether the client can authenticate with a secret. */
export function usesSecret({ methods }: AuthenticationSettings): boolean {
  return methods.some((method) => SECRET_METHODS.includes(method));
}

/** The algorithms that a key can be used with (RFC 7518 §3.1, RFC 8037 §3.1). */
export function algorithmsOf({ kty }: PublicKey): readonly SigningAlgorithm[] {
  if (kty === 'RSA') return ['PS256', 'RS256'];
  return kty === 'EC' ? ['ES256'] : ['EdDSA'];
}
