import { createPrivateKey, generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { signJws } from '../../../src/oauth/signing/jws.ts';
import type { LoadRequest } from '../load/protocol.ts';
import { formPost } from './http-text.ts';
import { signedValues } from './signed-values.ts';

/** A client that authenticates with assertions (private_key_jwt), signed with ES256. */
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

export function generateClientKey(): JsonWebKey {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
}

/** The key set that the client registers. */
export function publicKeySet({ kty, crv, x, y }: JsonWebKey): object {
  return { keys: [{ kty, crv, x, y, kid: KID, alg: 'ES256', use: 'sig' }] };
}

/** Sends each of `count` new assertions once. They have the same length. @param audience the issuer */
export async function assertionRequest(
  { clientId, privateKey }: AssertionClient,
  audience: string,
  count: number,
): Promise<LoadRequest> {
  const key = createPrivateKey({ key: privateKey, format: 'jwk' });
  const iat = Math.floor(Date.now() / 1000);
  const signOne = (): Promise<string> => {
    const claims = { iss: clientId, sub: clientId, aud: audience, iat, exp: iat + LIFETIME_SECONDS };
    const jti = randomBytes(16).toString('base64url');
    return signJws(key, { alg: 'ES256', typ: 'JWT', kid: KID }, { ...claims, jti });
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
