import type { SealedSecretHash, SecretHash, SecretSealPurpose } from '../domain/events.ts';
import { validPreviousSecret, type Overlap } from '../domain/previous-secret.ts';
import type { ClientId } from '../domain/values.ts';

/** Decrypts a sealed hash. Returns undefined if the key is missing. */
export type OpenSecret = (clientId: ClientId, purpose: SecretSealPurpose, sealed: string) => SecretHash | undefined;

/** An encrypted hash. */
interface Seal {
  readonly purpose: SecretSealPurpose;
  readonly sealed: string;
}

/** The hash that verifies a client's secret. No secret matches an unreadable hash. */
export type KnownSecret = (SecretHash | { readonly algorithm: 'unreadable' }) &
  SecretHistory & { readonly seal?: Seal };

/** A secret in a snapshot. Hashes that are encrypted in the log are also encrypted in snapshots. */
type FrozenSecret = (SecretHash | (SealedSecretHash & Seal)) & SecretHistory;

interface SecretHistory {
  /** Present if the log contains an earlier, unencrypted hash of the same secret. */
  readonly wasUnsealed?: true;
}

/** Reports whether the log contains an unencrypted hash against which guesses of the secret can be tested. */
function isRecordedUnsealed({ algorithm, seal, wasUnsealed }: KnownSecret): boolean {
  if (wasUnsealed === true) return true;
  return seal === undefined && (algorithm === 'argon2id' || algorithm === 'pbkdf2-sha256');
}

/** Returns the secret after a better hash of it has been recorded. */
export function rehashedSecret(previous: KnownSecret | null, newSecret: KnownSecret): KnownSecret {
  return previous !== null && isRecordedUnsealed(previous) ? { ...newSecret, wasUnsealed: true } : newSecret;
}

export function openRecordedSecret(
  recordedSecret: SecretHash | SealedSecretHash,
  owner: { readonly clientId: ClientId; readonly purpose: SecretSealPurpose },
  open: OpenSecret,
): KnownSecret {
  if (recordedSecret.algorithm !== 'sealed') return recordedSecret;
  const { clientId, purpose } = owner;
  const { sealed } = recordedSecret;
  return { ...(open(clientId, purpose, sealed) ?? { algorithm: 'unreadable' }), seal: { purpose, sealed } };
}

function freezeSecret(secret: KnownSecret): FrozenSecret {
  const { seal, ...hash } = secret;
  const history = secret.wasUnsealed === undefined ? {} : { wasUnsealed: secret.wasUnsealed };
  if (seal !== undefined) return { algorithm: 'sealed', ...seal, ...history };
  return hash as SecretHash; // only an encrypted hash can be unreadable
}

function thawSecret(frozen: FrozenSecret, clientId: ClientId, open: OpenSecret): KnownSecret {
  if (frozen.algorithm !== 'sealed') return frozen;
  const secret = openRecordedSecret(frozen, { clientId, purpose: frozen.purpose }, open);
  return frozen.wasUnsealed === undefined ? secret : { ...secret, wasUnsealed: frozen.wasUnsealed };
}

/** The current secret of a client, and the secret that the latest rotation replaced. */
export interface ClientSecrets {
  readonly secret: KnownSecret | null;
  readonly previousSecret: (Overlap & { readonly secret: KnownSecret }) | null;
}

export interface FrozenSecrets {
  readonly secret: FrozenSecret | null;
  readonly previousSecret: (Overlap & { readonly secret: FrozenSecret }) | null;
}

/**
 * Copies a client for a snapshot. The copy does not depend on the available keys, and later events do not change it.
 */
export function freezeClient<Client extends ClientSecrets & { readonly lastUse: object }>(client: Client): object {
  return { ...client, ...freezeSecrets(client), lastUse: { ...client.lastUse } };
}

function freezeSecrets({ secret, previousSecret: previous }: ClientSecrets): FrozenSecrets {
  return {
    secret: secret === null ? null : freezeSecret(secret),
    previousSecret: previous === null ? null : { ...previous, secret: freezeSecret(previous.secret) },
  };
}

export function thawSecrets(
  { clientId, secret, previousSecret: previous }: FrozenSecrets & { readonly clientId: ClientId },
  open: OpenSecret,
): ClientSecrets {
  return {
    secret: secret === null ? null : thawSecret(secret, clientId, open),
    previousSecret: previous === null ? null : { ...previous, secret: thawSecret(previous.secret, clientId, open) },
  };
}

export function isUnreadable({ secret, previousSecret }: ClientSecrets): boolean {
  return secret?.algorithm === 'unreadable' || previousSecret?.secret.algorithm === 'unreadable';
}

export function hasUnsealedSecret(client: ClientSecrets, now: number): boolean {
  const secrets = [client.secret, validPreviousSecret(client, now)?.secret ?? null];
  return secrets.some((secret) => secret !== null && isRecordedUnsealed(secret));
}
