import type { KeyObject } from 'node:crypto';
import { keyInUse } from '../../domain/signing-keys.ts';
import type { EpochSeconds, KeyId, SigningAlgorithm } from '../../domain/values.ts';
import type { SigningKey, SigningKeys as RecordedKeys } from '../../projections/signing-keys.ts';
import type { DerivedKeys } from './derived-keys.ts';
import { verifyJws, signJws } from './jws.ts';
import type { KeyRotation } from './key-rotation.ts';
import type { PrivateKeys } from './private-keys.ts';
import { publicKeyObject, type PublishedKey } from './public-keys.ts';

/** A signed token, and the key that signed it. */
export interface SignedToken {
  readonly jws: string;
  readonly kid: KeyId;
}

/** Signs and verifies tokens with the recorded keys. */
export interface SigningKeys {
  /**
   * Signs in the thread pool with the key in use. If no key is usable, for example because the private key is lost,
   * appends a new key to the log. Unauthenticated callers cannot grow the log in this way, because a key is introduced
   * only while the algorithm has no usable key.
   * @param type the `typ` of the header, such as `at+jwt`
   */
  sign(algorithm: SigningAlgorithm, type: string, payload: object, now: EpochSeconds): Promise<SignedToken>;
  /**
   * Signs the same payload again, to repeat a response. With RS256 and EdDSA, the result has the same bytes. Returns
   * undefined if the key can no longer sign.
   */
  signAgain(kid: KeyId, type: string, payload: object): Promise<string | undefined>;
  /**
   * Returns the payload of a JWS from this server, or undefined if it is forged, its type is not one of `types`, or its
   * key was retired on request. No claim is checked, not even `exp`.
   */
  verify(jws: string, options: VerifyOptions): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Returns the key set: the keys in use, the next keys, and the keys whose tokens may still be valid. */
  publishedKeys(now: EpochSeconds): readonly PublishedKey[];
}

export interface VerifyOptions {
  /** The accepted values of `typ`. */
  readonly types: readonly string[];
  readonly now: EpochSeconds;
}

/** The maximum number of attempts to introduce a key. An attempt fails only if another node introduces a key first. */
const MAX_ATTEMPTS = 5;

export function createSigningKeys(deps: {
  readonly recordedKeys: Pick<RecordedKeys, 'published' | 'find' | 'derivedKeysUsedUntil'>;
  readonly rotation: Pick<KeyRotation, 'introduce'>;
  readonly privateKeys: Pick<PrivateKeys, 'find'>;
  readonly derivedKeys: Pick<DerivedKeys, 'find' | 'publishedKeys'>;
}): SigningKeys {
  const { recordedKeys, rotation, privateKeys, derivedKeys } = deps;

  async function findOrIntroduceKey(
    algorithm: SigningAlgorithm,
    now: EpochSeconds,
  ): Promise<{ readonly kid: KeyId; readonly privateKey: KeyObject }> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const key = keyInUse(recordedKeys.published(), algorithm, now);
      const privateKey = key && privateKeys.find(key);
      if (key !== undefined && privateKey !== undefined) return { kid: key.kid, privateKey };
      await rotation.introduce(algorithm, now, key === undefined ? 'scheduled' : 'lost');
    }
    throw new Error(
      `cannot sign with ${algorithm}: there is no usable key, and none could be introduced ` +
        `in ${MAX_ATTEMPTS} attempts. See: grantlog key list`,
    );
  }

  function verificationKey(kid: string, now: EpochSeconds) {
    const key = recordedKeys.find(kid);
    if (key === undefined) return derivedKeys.find(kid, now);
    return key.retired === 'requested' ? undefined : { algorithm: key.algorithm, key: publicKeyObject(key.publicKey) };
  }

  return {
    async sign(alg, typ, payload, now) {
      const { kid, privateKey } = await findOrIntroduceKey(alg, now);
      return { kid, jws: await signJws(privateKey, { alg, typ, kid }, payload) };
    },

    async signAgain(kid, typ, payload) {
      const key = recordedKeys.find(kid);
      const privateKey = key === undefined || key.retired !== null ? undefined : privateKeys.find(key);
      return key && privateKey && signJws(privateKey, { alg: key.algorithm, typ, kid }, payload);
    },

    verify: (jws, { types, now }) => verifyJws(jws, types, (kid) => verificationKey(kid, now)),

    publishedKeys: (now) => [
      ...recordedKeys.published().map(toPublished),
      ...derivedKeys.publishedKeys(now, recordedKeys.derivedKeysUsedUntil()),
    ],
  };
}

function toPublished({ kid, algorithm: alg, publicKey }: SigningKey): PublishedKey {
  return { ...publicKey, kid, alg, use: 'sig' };
}
