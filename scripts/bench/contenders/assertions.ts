import { createPrivateKey, generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { signJws } from '../../../src/oauth/signing/jws.ts';
import type { LoadRequest } from '../load/protocol.ts';
import { formPost } from './http-text.ts';
import { signedValues } from './signed-values.ts';

export type AssertionAlgorithm = 'ES256' | 'RS256';

/** A client that authenticates with assertions (private_key_jwt). */
export interface AssertionClient {
  readonly clientId: string;
  readonly privateKey: JsonWebKey;
}

const KID = 'bench';
/** Longer than an interval, and what every server accepts. */
const LIFETIME_SECONDS = 300;

const FORM =
  'grant_type=client_credentials&client_assertion_type=' +
  `${encodeURIComponent('urn:ietf:params:oauth:client-assertion-type:jwt-bearer')}&client_assertion=`;

export function generateClientKey(algorithm: AssertionAlgorithm = 'ES256'): JsonWebKey {
  const { privateKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ format: 'jwk' });
}

/** The key set that the client registers. */
export function publicKeySet(privateKey: JsonWebKey): object {
  const { kty, crv, x, y, n, e } = privateKey;
  return { keys: [{ kty, crv, x, y, n, e, kid: KID, alg: algorithmFor(privateKey), use: 'sig' }] };
}

function algorithmFor({ kty }: JsonWebKey): AssertionAlgorithm {
  return kty === 'RSA' ? 'RS256' : 'ES256';
}

/** Sends each of `count` new assertions once. They have the same length. @param audience the issuer */
export async function assertionRequest(
  { clientId, privateKey }: AssertionClient,
  audience: string,
  count: number,
): Promise<LoadRequest> {
  const key = createPrivateKey({ key: privateKey, format: 'jwk' });
  const iat = Math.floor(Date.now() / 1000);
  const alg = algorithmFor(privateKey);
  const signOne = (): Promise<string> => {
    const claims = { iss: clientId, sub: clientId, aud: audience, iat, exp: iat + LIFETIME_SECONDS };
    const jti = randomBytes(16).toString('base64url');
    return signJws(key, { alg, typ: 'JWT', kid: KID }, { ...claims, jti });
  };
  const list = await signedValues(count, signOne);
  return {
    before: formPost('/o/token/', null, FORM, FORM.length + (list[0] ?? '').length),
    after: '',
    values: { use: 'each', list },
    expects: '"token_type":"Bearer"',
    returnsToken: true,
  };
}
