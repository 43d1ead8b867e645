import type { ClientSettings } from '../../domain/client.ts';
import type { RecordableSecret, SecretHash } from '../../domain/events.ts';
import type { ClientId } from '../../domain/values.ts';
import type { Entropy, PasswordHasher } from '../../platform/ports.ts';
import { hashCredential, isClientSecret, mintClientId, mintClientSecret } from '../credentials/credentials.ts';

/** Credentials that a client keeps from another server. */
export interface ImportedCredentials {
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** As `broughtHash` gives it, where nobody but the client knows the secret itself. */
  readonly clientSecretHash?: string | undefined;
}

/**
 * Where a new client's credentials come from; the server draws them if nothing else is given. Bytes that were drawn
 * for an earlier registration register nothing: the answer is the earlier one, without the secret if it has changed.
 */
export type CredentialSource = ImportedCredentials | { readonly drawnFrom: Entropy };

export interface RegisteredCredentials {
  readonly clientId: ClientId;
  /** In the clear this once; null for a client that has none. */
  readonly clientSecret: string | null;
}

/** RFC 6749 appendix A.1, A.2: printable ASCII; what would confuse a Basic header is left out. */
const IMPORTED_ID = /^[\x21-\x39\x3b-\x7e]{1,255}$/;
const IMPORTED_SECRET = /^[\x20-\x7e]{1,512}$/;

/** The credentials of a client about to be registered, and what is recorded of its secret: one hash at most. */
export interface NewCredentials extends RegisteredCredentials {
  /** Of a secret made here: 256 random bits, which nobody can guess from their hash. */
  readonly minted: Exclude<RecordableSecret, { readonly algorithm: 'sealed' }> | null;
  /** Of a secret from elsewhere. */
  readonly imported: SecretHash | null;
}

export function mintCredentials({ clientType }: Pick<ClientSettings, 'clientType'>, entropy: Entropy): NewCredentials {
  const clientId = mintClientId(entropy) as ClientId;
  if (clientType === 'public') return { clientId, clientSecret: null, minted: null, imported: null };
  const { value, hash } = mintClientSecret(entropy);
  return { clientId, clientSecret: value, minted: { algorithm: 'sha256', hash }, imported: null };
}

export async function importCredentials(
  { clientId: id, clientSecret, clientSecretHash }: ImportedCredentials,
  hasher: Pick<PasswordHasher, 'hash'>,
): Promise<NewCredentials> {
  const clientId = id as ClientId;
  const known = { clientId, minted: null };
  if (clientSecretHash !== undefined) return { ...known, clientSecret: null, imported: importHash(clientSecretHash) };
  const imported = clientSecret === null ? null : await hashImported(clientSecret, hasher);
  return { ...known, clientSecret, imported };
}

/**
 * A secret from elsewhere may be one that a person chose: it gets the slow hash that passwords get. One of our own
 * form has 256 random bits, and authentication never runs the slow hash for it (`client-authentication.ts` says why).
 */
async function hashImported(secret: string, hasher: Pick<PasswordHasher, 'hash'>): Promise<SecretHash> {
  return isClientSecret(secret)
    ? { algorithm: 'sha256', hash: hashCredential(secret) }
    : { algorithm: 'argon2id', phc: await hasher.hash(secret) };
}

function importHash(hash: string): SecretHash {
  return hash.startsWith('$argon2id$')
    ? { algorithm: 'argon2id', phc: hash }
    : { algorithm: 'pbkdf2-sha256', verifier: hash };
}

/** What is wrong with credentials from elsewhere, in words; undefined when nothing is. */
export function importedCredentialsProblem({ clientId, clientSecret }: ImportedCredentials): string | undefined {
  if (!IMPORTED_ID.test(clientId)) {
    return 'the client id must be 1 to 255 printable ASCII characters without a space or a colon';
  }
  if (clientSecret !== null && !IMPORTED_SECRET.test(clientSecret)) {
    return 'the client secret must be 1 to 512 printable ASCII characters';
  }
  return undefined;
}
