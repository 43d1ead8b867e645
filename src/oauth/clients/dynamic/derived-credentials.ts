import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import {
  hasValidChecksum,
  mintClientSecret,
  withChecksum,
  type MintedCredential,
} from '../../credentials/credentials.ts';

/**
 * The credentials of a self-registered client, derived from its client id and one of the server's keys. As a result,
 * every node can compute the credentials, and nothing needs to be stored before a user authorizes the client.
 */
export interface DerivedCredentials {
  deriveSecret(clientId: string): MintedCredential;
  /** Returns the token that authenticates requests to read, change or delete the registration (RFC 7592 §3). */
  deriveRegistrationToken(clientId: string): string;
  isRegistrationToken(token: string, clientId: string): boolean;
}

const TOKEN = /^glm_[\w-]{49}$/;

export function createDerivedCredentials(key: KeyObject): DerivedCredentials {
  const derive = (label: string, clientId: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([label, clientId]))
      .digest();

  function deriveRegistrationToken(clientId: string): string {
    return withChecksum(`glm_${derive('registration access token', clientId).toString('base64url')}`).value;
  }

  return {
    deriveSecret: (clientId) => mintClientSecret({ bytes: () => derive('client secret', clientId) }),
    deriveRegistrationToken,
    isRegistrationToken(token, clientId) {
      if (!hasValidChecksum(token, TOKEN)) return false;
      return timingSafeEqual(Buffer.from(token), Buffer.from(deriveRegistrationToken(clientId)));
    },
  };
}
