import type { SigningKey, SigningKeys as RecordedKeys } from '../../projections/signing-keys.ts';
import { hasValidSignature, unverifiedKeyId } from './jws.ts';
import { publicKeyObject } from './public-keys.ts';

/** Checks the signatures of JWT access tokens, in addition to the lookup by hash. */
export interface TokenSignatures {
  /** Returns the key whose id is in the JWT, if that key was retired on request, which makes the token invalid. */
  retiredKey(jwt: string): SigningKey | undefined;
  /** Reports whether the JWT has a key id in this server's format that this node does not recognize. */
  hasUnknownKeyId(jwt: string): boolean;
  /** Reports whether a recorded key signed the JWT. */
  isSigned(jwt: string): Promise<boolean>;
}

/** The format of this server's key ids, which are SHA-256 thumbprints. */
const KEY_ID = /^[\w-]{43}$/;

export function createTokenSignatures(recordedKeys: Pick<RecordedKeys, 'find'>): TokenSignatures {
  const findKey = (jwt: string): SigningKey | undefined => recordedKeys.find(unverifiedKeyId(jwt) ?? '');
  return {
    retiredKey(jwt) {
      const key = findKey(jwt);
      return key?.retired === 'requested' ? key : undefined;
    },
    hasUnknownKeyId(jwt) {
      const kid = unverifiedKeyId(jwt);
      return kid !== undefined && KEY_ID.test(kid) && recordedKeys.find(kid) === undefined;
    },
    async isSigned(jwt) {
      const key = findKey(jwt);
      return key !== undefined && hasValidSignature(jwt, key.algorithm, publicKeyObject(key.publicKey));
    },
  };
}
