import type { KeyObject } from 'node:crypto';
import type { ProviderId } from '../../domain/values.ts';
import { seal, unseal } from '../../platform/keys/seals.ts';
import type { Entropy } from '../../platform/ports.ts';

/** Encrypts the secrets with which this server authenticates to providers. The log contains only encrypted secrets. */
export interface ProviderSecrets {
  seal(providerId: ProviderId, secret: string): string;
  /** Returns the secret, or undefined if the server's key has been replaced. The secret must then be entered again. */
  open(providerId: ProviderId, sealedSecret: string): string | undefined;
}

export function createProviderSecrets(key: KeyObject, entropy: Entropy): ProviderSecrets {
  return {
    seal: (providerId, secret) => seal(secret, key.export(), contextOf(providerId), entropy),
    open(providerId, sealedSecret) {
      try {
        return unseal(sealedSecret, key.export(), contextOf(providerId));
      } catch {
        return undefined;
      }
    },
  };
}

const contextOf = (providerId: ProviderId): string => `provider secret ${providerId}`;
