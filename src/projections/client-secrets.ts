import type { SealedSecretHash, SecretHash, SecretSealPurpose } from '../domain/events.ts';
import type { ClientId } from '../domain/values.ts';

/** The hash under a seal; undefined where no key opens it. */
export type OpenSecret = (clientId: ClientId, purpose: SecretSealPurpose, sealed: string) => SecretHash | undefined;

/** The seal that a hash came from. */
interface Seal {
  readonly purpose: SecretSealPurpose;
  readonly sealed: string;
}

/** How a client's secret is checked; nothing matches one that is unreadable. */
export type KnownSecret = (SecretHash | { readonly algorithm: 'unreadable' }) &
  SecretHistory & { readonly seal?: Seal };

/** A secret as snapshots have it: what was sealed in the log is sealed there. */
export type FrozenSecret = (SecretHash | (SealedSecretHash & Seal)) & SecretHistory;

interface SecretHistory {
  /** That the log has an earlier hash of the same secret without a seal. */
  readonly wasUnsealed?: true;
}

/** Whether the log has a hash of the secret without a seal, of a kind that guesses can be tested against. */
export function isRecordedUnsealed({ algorithm, seal, wasUnsealed }: KnownSecret): boolean {
  if (wasUnsealed === true) return true;
  return seal === undefined && (algorithm === 'argon2id' || algorithm === 'pbkdf2-sha256');
}

/** The secret under a better hash, which is recorded after the one before. */
export function rehashedSecret(before: KnownSecret | null, rehashed: KnownSecret): KnownSecret {
  return before !== null && isRecordedUnsealed(before) ? { ...rehashed, wasUnsealed: true } : rehashed;
}

export function openRecordedSecret(
  recorded: SecretHash | SealedSecretHash,
  owner: { readonly clientId: ClientId; readonly purpose: SecretSealPurpose },
  open: OpenSecret,
): KnownSecret {
  if (recorded.algorithm !== 'sealed') return recorded;
  const { clientId, purpose } = owner;
  const { sealed } = recorded;
  return { ...(open(clientId, purpose, sealed) ?? { algorithm: 'unreadable' }), seal: { purpose, sealed } };
}

export function freezeSecret(secret: KnownSecret): FrozenSecret {
  const { seal, ...hash } = secret;
  const recorded = secret.wasUnsealed === undefined ? {} : { wasUnsealed: secret.wasUnsealed };
  if (seal !== undefined) return { algorithm: 'sealed', ...seal, ...recorded };
  return hash as SecretHash; // only what was under a seal can be unreadable
}

export function thawSecret(frozen: FrozenSecret, clientId: ClientId, open: OpenSecret): KnownSecret {
  if (frozen.algorithm !== 'sealed') return frozen;
  const known = openRecordedSecret(frozen, { clientId, purpose: frozen.purpose }, open);
  return frozen.wasUnsealed === undefined ? known : { ...known, wasUnsealed: frozen.wasUnsealed };
}
