/** A public JWK (RFC 7517 §4, RFC 7518 §6, RFC 8037 §2) with only the members that make up the key. */
export type PublicKey =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string };
