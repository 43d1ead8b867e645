import type { SigningKey, SigningKeys as RecordedKeys } from '../../projections/signing-keys.ts';
import { hasValidSignature, keyIdOf } from './jws.ts';
import { publicKeyObject } from './public-keys.ts';

/** What the signature of a JWT access token adds to its lookup by hash. */
export interface TokenSignatures {
  /** The key of a JWT if the operator retired it: the token is not valid any more. */
  retiredKey(jwt: string): SigningKey | undefined;
  /** Whether the key that a JWT names is in the log. */
  hasKnownKey(jwt: string): boolean;
  /** Whether one of our keys signed the JWT. */
  isSigned(jwt: string): Promise<boolean>;
}

export function createTokenSignatures(recorded: Pick<RecordedKeys, 'find'>): TokenSignatures {
  const keyOf = (jwt: string): SigningKey | undefined => recorded.find(keyIdOf(jwt) ?? '');
  return {
    retiredKey(jwt) {
      const key = keyOf(jwt);
      return key?.retired === 'requested' ? key : undefined;
    },
    hasKnownKey: (jwt) => keyOf(jwt) !== undefined,
    async isSigned(jwt) {
      const key = keyOf(jwt);
      return key !== undefined && hasValidSignature(jwt, key.algorithm, publicKeyObject(key.publicKey));
    },
  };
}
