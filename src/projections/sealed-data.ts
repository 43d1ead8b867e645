import type { UserId } from '../domain/values.ts';

/** What the seals of an account hold between them. */
export interface PersonalData {
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** PHC string. */
  readonly passwordHash: string;
}

/** What tells a passkey, and so its owner, from all others (WebAuthn §4, "public key credential source"). */
export interface PasskeyData {
  /** Base64url, as its authenticator gave it. */
  readonly credentialId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** How a browser reaches the authenticator. */
  readonly transports: readonly string[];
  /** What its owner calls it. */
  readonly name: string;
}

/** A seal holds some of an account's data, or a passkey of it. */
export type SealedData = Partial<PersonalData> & { readonly passkey?: PasskeyData };

/** Opens a seal; undefined when the user's key is gone. */
export type Unseal = (userId: UserId, sealed: string) => SealedData | undefined;
