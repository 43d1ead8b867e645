import type { ProfileValues } from '../domain/profile.ts';
import type { UserId } from '../domain/values.ts';

/** The personal data of an account. Several events contain parts of it, encrypted. */
export interface PersonalData {
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The other fields of the profile. */
  readonly profile: ProfileValues;
  /** In the PHC string format. */
  readonly passwordHash: string;
}

/** The identifying data of a passkey (WebAuthn §4, "public key credential source"). */
export interface PasskeyData {
  /** The authenticator's id for the passkey, in base64url. */
  readonly credentialId: string;
  /** The COSE key, in base64url. */
  readonly publicKey: string;
  /** How a browser can reach the authenticator. */
  readonly transports: readonly string[];
  /** The name that the user gave to the passkey. */
  readonly name: string;
}

/** An account at a provider. */
export interface UpstreamAccountData {
  readonly issuer: string;
  readonly subject: string;
  /** The e-mail address at the time the account was linked; empty if the provider sent none. */
  readonly email: string;
}

/** The decrypted data of one event. Each event contains only some of these members. */
export type SealedData = Partial<PersonalData> & {
  readonly passkey?: PasskeyData;
  readonly upstream?: UpstreamAccountData;
  /** The address that was verified. */
  readonly verifiedEmail?: string;
  /** The id of an invitation, which is part of its links. */
  readonly invitationId?: string;
  /** The browser and the operating system, such as "Firefox on Linux". */
  readonly browser?: string;
  /** The secret of an authenticator app, in base32. */
  readonly totpSecret?: string;
  /** SHA-256 of each recovery code, in base64url. */
  readonly recoveryCodes?: readonly string[];
  /** The JSON text of an authorization detail, with a salt. */
  readonly authorizationDetail?: string;
};

/** Decrypts the data of an event, or returns undefined if the user's key has been destroyed. */
export type Unseal = (userId: UserId, sealed: string) => SealedData | undefined;
