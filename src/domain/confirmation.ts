/** The members of `cnf` that bind a token to a key (RFC 9449 §6.1) or to a certificate (RFC 8705 §3.1). */
export const CONFIRMATION_METHODS = ['jkt', 'x5t#S256'] as const;
export type ConfirmationMethod = (typeof CONFIRMATION_METHODS)[number];

/** The key or certificate whose possession proves that the sender of a token may use the token. */
export interface Confirmation {
  readonly method: ConfirmationMethod;
  /** The SHA-256 hash, in base64url, of the key in canonical form (RFC 7638) or of the certificate in DER. */
  readonly thumbprint: string;
}

/** Reports whether both confirmations are for the same key or certificate, or both are undefined. */
export function isSameConfirmation(left: Confirmation | undefined, right: Confirmation | undefined): boolean {
  return left?.method === right?.method && left?.thumbprint === right?.thumbprint;
}

/** Returns the `cnf` claim of a token (RFC 7800 §3.1). */
export function confirmationClaim({ method, thumbprint }: Confirmation): Readonly<Record<string, string>> {
  return { [method]: thumbprint };
}

/** Returns the `token_type` (RFC 9449 §5). The type of a token bound to a certificate is `Bearer` (RFC 8705 §3). */
export function tokenType(confirmation: Confirmation | undefined): 'Bearer' | 'DPoP' {
  return confirmation?.method === 'jkt' ? 'DPoP' : 'Bearer';
}

/** Returns `{ confirmation }`, or `{}` for a bearer token. */
export function confirmationMember(confirmation: Confirmation | undefined): { readonly confirmation?: Confirmation } {
  return confirmation === undefined ? {} : { confirmation };
}
