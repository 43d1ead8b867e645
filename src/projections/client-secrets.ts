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
export type KnownSecret = (SecretHash | { readonly algorithm: 'unreadable' }) & { readonly seal?: Seal };

/** A secret as snapshots have it: what was sealed in the log is sealed there. */
export type FrozenSecret = SecretHash | (SealedSecretHash & Seal);

export function knownSecret(
  recorded: SecretHash | SealedSecretHash, owner: { readonly clientId: ClientId; readonly purpose: SecretSealPurpose },
  open: OpenSecret,
): KnownSecret {
  if (recorded.algorithm !== 'sealed') return recorded;
  const { clientId, purpose } = owner;
  const { sealed } = recorded;
  return { ...(open(clientId, purpose, sealed) ?? { algorithm: 'unreadable' }), seal: { purpose, sealed } };
}

export function frozenSecret(secret: KnownSecret): FrozenSecret {
  const { seal, ...hash } = secret;
  if (seal !== undefined) return { algorithm: 'sealed', ...seal };
  return hash as SecretHash; // only what was under a seal can be unreadable
}

export function thawedSecret(frozen: FrozenSecret, clientId: ClientId, open: OpenSecret): KnownSecret {
  return frozen.algorithm === 'sealed' ? knownSecret(frozen, { clientId, purpose: frozen.purpose }, open) : frozen;
}
