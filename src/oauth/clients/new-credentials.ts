import type { RecordableSecret, SecretHash } from '../../domain/events.ts';
import type { ClientId } from '../../domain/values.ts';
import type { Entropy, PasswordHasher } from '../../platform/ports.ts';
import { hashCredential, isGeneratedSecret, mintClientId, mintClientSecret } from '../credentials/credentials.ts';

/** Credentials from another server that a client continues to use. */
export interface ImportedCredentials {
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** The hash of the secret, as `parseImportedHash` returns it, if the secret itself is not imported. */
  readonly clientSecretHash?: string | undefined;
}

/**
 * The source of a new client's credentials: imported credentials, or random bytes from which new ones are generated.
 * Registering again with the same random bytes changes nothing. It returns the earlier registration, without the secret
 * if the secret has changed.
 */
export type CredentialSource = ImportedCredentials | { readonly entropy: Entropy };

export interface RegisteredCredentials {
  readonly clientId: ClientId;
  /** In plain text, shown only once; null if the client has no secret, or if this server has only its hash. */
  readonly clientSecret: string | null;
}

/** Printable ASCII (RFC 6749 appendix A.1) without spaces or colons. A colon would end the id in a Basic header. */
const IMPORTED_ID = /^[\x21-\x39\x3b-\x7e]{1,255}$/;
/** Printable ASCII (RFC 6749 appendix A.2). */
const IMPORTED_SECRET = /^[\x20-\x7e]{1,512}$/;

/** The credentials of a new client and the hash that will be recorded; at most one of the two hashes is set. */
export interface NewCredentials extends RegisteredCredentials {
  /** The hash of a generated secret, whose 256 random bits cannot be guessed. */
  readonly mintedHash: Exclude<RecordableSecret, { readonly algorithm: 'sealed' }> | null;
  /** The hash of an imported secret. */
  readonly importedHash: SecretHash | null;
}

/**
 * Generates the credentials of a new client.
 * @param hasSecret whether the client can authenticate with a secret
 */
export function mintCredentials(hasSecret: boolean, entropy: Entropy): NewCredentials {
  const clientId = mintClientId(entropy) as ClientId;
  if (!hasSecret) return { clientId, clientSecret: null, mintedHash: null, importedHash: null };
  const { value, hash } = mintClientSecret(entropy);
  return { clientId, clientSecret: value, mintedHash: { algorithm: 'sha256', hash }, importedHash: null };
}

/** Returns imported credentials with the hash to record, which is computed unless it was imported. */
export async function importCredentials(
  { clientId: id, clientSecret, clientSecretHash }: ImportedCredentials,
  hasher: Pick<PasswordHasher, 'hash'>,
): Promise<NewCredentials> {
  const clientId = id as ClientId;
  const commonMembers = { clientId, mintedHash: null };
  if (clientSecretHash !== undefined)
    return { ...commonMembers, clientSecret: null, importedHash: importHash(clientSecretHash) };
  const importedHash = clientSecret === null ? null : await hashImported(clientSecret, hasher);
  return { ...commonMembers, clientSecret, importedHash };
}

/**
 * Returns the hash of an imported secret. A human may have chosen the secret, so a slow hash is used, as for passwords.
 * A secret in this server's format has 256 random bits and gets a fast hash, because authentication never computes a
 * slow hash for such a secret (see `secret-authentication.ts`).
 */
async function hashImported(secret: string, hasher: Pick<PasswordHasher, 'hash'>): Promise<SecretHash> {
  return isGeneratedSecret(secret)
    ? { algorithm: 'sha256', hash: hashCredential(secret) }
    : { algorithm: 'argon2id', phc: await hasher.hash(secret) };
}

function importHash(hash: string): SecretHash {
  return hash.startsWith('$argon2id$')
    ? { algorithm: 'argon2id', phc: hash }
    : { algorithm: 'pbkdf2-sha256', verifier: hash };
}

/** Returns the problem with imported credentials, or undefined if they are valid. */
export function importedCredentialsProblem({ clientId, clientSecret }: ImportedCredentials): string | undefined {
  if (!IMPORTED_ID.test(clientId)) {
    return 'the client id must be 1 to 255 printable ASCII characters without spaces or colons';
  }
  if (clientSecret !== null && !IMPORTED_SECRET.test(clientSecret)) {
    return 'the client secret must be 1 to 512 printable ASCII characters';
  }
  return undefined;
}
